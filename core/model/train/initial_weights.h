// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensors/parameter_layout.h"

#include <cstdint>
#include <stop_token>

namespace vqscope {

/// Initial weights; each tensor depends only on the seed and its name. Norms are 1. Standard
/// deviations: embeddings 0.5, learned positions 0.1, the head 0.02, other matrices fan_in^(-1/2),
/// divided by √(2 · layers) where they write to the residual stream. T5's and the VQ bias 0;
/// learnt parameters of other biases uniform (LearntParameter); Transformer-XL's u and v 0; FIRE's c 0.1, its
/// multiplier 1, its layers uniform within ±fan_in^(-1/2); codewords of variance head_dim^(-1/2),
/// each of which counts as one key. After a stop the weights are undefined.
template <class Real>
Parameters<Real> initial_weights(const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout,
                                 std::uint64_t seed, const std::stop_token& stop = {});

/// Returns learnt parameters of the bias to their bounds, after each step.
template <class Real>
void clamp_learnt_bias(const TransformerConfig& config, Parameters<Real>& parameters);

}  // namespace vqscope
