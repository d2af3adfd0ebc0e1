// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/experiment/setting/weighed_tokens.h"
#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// Quantity to show for a code in the cache.
enum class CacheQuantity {
  count,      ///< n_s: number of keys with the code
  bias,       ///< ln n_s, which is added to the score; NaN for an empty code, which is not visible
  mean_value  ///< |μ_s|: norm of the mean value; NaN for an empty code
};

/// [blocks, n_code] float32, row n with the keys of blocks 0, ..., n in the cache. Samples, learns
/// and counts when it is prepared or the first cell is read.
std::shared_ptr<const Field> make_vq_cache(const VqSetting& setting, CacheQuantity quantity);

/// [q_length, n_code] int32: 1 where the key has the code, else 0. With `rank`, the number of
/// codewords that are nearer, or equally near with a lower code. Samples and learns when it is
/// prepared or the first cell is read.
std::shared_ptr<const Field> make_vq_shortcodes(const VqSetting& setting, bool rank);

/// Weights softmax(Q Kᵀ), softmax(Q K̂ᵀ), or the second minus the first.
enum class VqWeights { exact, quantised, difference };

/// [q_length, q_length] float32, causal: 0 for keys after the query. Samples, learns and sums when
/// it is prepared or the first cell is read.
std::shared_ptr<const Field> make_vq_weights(const VqSetting& setting, VqWeights weights);

/// Element-wise weights: φ of each score, which do not add up to 1.
struct VqElementwise {
  VqWeights weights = VqWeights::quantised;
  WeightFunction function = WeightFunction::exponential;
  bool all_keys = false;  ///< theorem 3.4, without the causal mask; false: theorem 3.6
};

/// [q_length, q_length] float32: φ(Q Kᵀ + B), or with codewords φ(Q Cᵀ + B) Δ for the keys of the
/// cache and φ(Q K̂ᵀ + B) for those of the query's block and the one before. Refuses what the
/// linear form refuses.
Result<std::shared_ptr<const Field>> make_vq_elementwise(const VqSetting& setting, const VqElementwise& shown,
                                                         DeferredWeighed::Value weighed);

}  // namespace vqscope
