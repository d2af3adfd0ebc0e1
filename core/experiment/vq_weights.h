// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"
#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// Weights softmax(Q Kᵀ), softmax(Q K̂ᵀ), or the second minus the first.
enum class VqWeights { exact, quantised, difference };

/// Maximum number of tokens for which weights are shown: every row is summed before the first cell.
inline constexpr Index most_weighed_tokens = 4096;

/// [q_length, q_length] float32, causal: 0 for keys after the query. Samples, learns and sums when
/// it is prepared or the first cell is read.
std::shared_ptr<const Field> make_vq_weights(const VqSetting& setting, VqWeights weights);

}  // namespace vqscope
