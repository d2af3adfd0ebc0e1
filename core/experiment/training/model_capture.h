// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/data/token_batch.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/model/config/transformer_config.h"
#include "core/model/tensors/parameter_layout.h"

#include <stop_token>

namespace vqscope {

/// Refuses a capture of so many tokens that is too large, or for which `memory` bytes are not enough;
/// 0: no limit.
template <class Real>
Result<void> check_model_capture(const TransformerConfig& config, const ParameterLayout& layout, Index length,
                                 double memory);

/// What each layer of attention sees of the first sequence of a batch, as a capture in one file:
/// input_ids [1, T]; layers.N.q_rot and k_rot, or q and k where the scores take them unrotated, [1, heads, T, d]; v;
/// and weights [1, heads, T, T].
template <class Real>
Result<std::vector<NamedTensor>> model_capture(const TransformerConfig& config, const Parameters<Real>& parameters,
                                               const TokenBatch& batch, int threads, const std::stop_token& stop);

}  // namespace vqscope
