// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"
#include "core/field/field.h"
#include "core/method/method.h"

#include <memory>

namespace vqscope {

/// Weights softmax(Q Kᵀ), softmax(Q K̂ᵀ), or the second less the first.
enum class VqWeights { exact, quantised, difference };

/// The most tokens for which weights are shown: every row's sum must be known before one cell is.
inline constexpr Index most_weighed_tokens = 4096;

/// [q_length, q_length] float32, causal: 0 ahead of the query. Draws, learns and sums when it is prepared, or the first
/// cell is read.
std::shared_ptr<const Field> make_vq_weights(const VqSetting& setting, VqWeights weights);

/// `vq_weights`: attention over drawn tokens, exact or with quantised keys.
Method vq_weights_method();

/// `vq_weight_error`: weights with quantised keys less the exact ones.
Method vq_weight_error_method();

}  // namespace vqscope
