// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/head_bias.h"
#include "core/attention/memory/cache.h"

namespace vqscope {

/// Keys that a block of queries sees: some one by one, all earlier ones through the cache.
struct SeenKeys {
  const CacheStates* cache = nullptr;  ///< null: nothing is cached
  Index state = 0;
  Index first = 0;                      ///< the first of the keys that are seen one by one
  const std::int32_t* codes = nullptr;  ///< from `first` on; -1: not valid
  StridedMatrix values;                 ///< from `first` on, 0 if the key is not valid; no rows: all keys are cached
};

/// Scratch buffers of one worker.
struct LinearWorker {
  Scratch scores, weights, cache_factors, relative, values, products;
};

/// VQ attention of some queries (theorem 3.7 with remark 3.9). One product Q Cᵀ holds every score;
/// those of single keys are read from it by shortcode. Cached codes are multiplied by their counts
/// after the exponential, which equals adding ln n before it without loss of precision. One maximum
/// and one denominator cover both parts; weights are divided before they are multiplied by values.
/// Queries are first_query, first_query + 1, ...; out [queries, d_v] must be 0 before.
void linear_block(const StridedMatrix& queries, Index first_query, const StridedMatrix& codebook, const SeenKeys& keys,
                  const HeadBias& bias, const AttentionKernels& kernels, LinearWorker& worker,
                  const std::stop_token& stop, float* out);

}  // namespace vqscope
