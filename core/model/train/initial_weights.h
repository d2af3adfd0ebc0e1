// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensors/parameters.h"

#include <cstdint>
#include <stop_token>

namespace vqscope {

/// The weights that training begins with, each tensor decided by the seed and its name: norms 1; embeddings of standard
/// deviation 0.5, learned positions 0.1, the head 0.02; other matrices fan_in^(-1/2), those that write to the residual
/// stream divided by √(2 · layers) besides; T5's and the VQ bias 0; KERPLE's r1 uniform up to 2, r2 up to 1;
/// Transformer-XL's u and v 0; FIRE's c 0.1, its multiplier 1, its layers uniform within ±fan_in^(-1/2); codewords of
/// variance head_dim^(-1/2), each of which counts as one key. Stopped, they
/// mean nothing.
template <class Real>
Parameters<Real> initial_weights(const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout,
                                 std::uint64_t seed, const std::stop_token& stop = {});

/// What KERPLE's r1 and r2 are raised to after each step where they are less.
inline constexpr double least_kerple = 0.01;
template <class Real>
void clamp_kerple(const TransformerConfig& config, Parameters<Real>& parameters);

}  // namespace vqscope
