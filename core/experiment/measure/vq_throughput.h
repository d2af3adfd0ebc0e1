// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention.h"
#include "core/experiment/setting/vq_setting.h"

#include <span>

namespace vqscope {

/// Floating-point operations of causal attention over q_length tokens without a bias, counting a
/// multiply-add as two: Q Kᵀ and W V up to the diagonal; nearest codewords; in the linear form Q
/// Cᵀ, the weights of each token's own strip of a block and of the cache, and the cache itself.
double attention_flops(AttentionForm form, const VqSetting& setting);

/// x at which the second of two curves falls to the first, interpolated linearly in log-log scale.
/// NaN if it never does, or is below from the start. A NaN ends both curves.
double crossover(std::span<const double> x, std::span<const double> above, std::span<const double> below);

/// Bytes that are kept to continue after q_length tokens: keys and values of all tokens, or
/// shortcodes and values of the newest block with counts and mean values of every code, and the
/// codewords.
double kv_cache_bytes(const VqSetting& setting);
double vq_cache_bytes(const VqSetting& setting);

}  // namespace vqscope
