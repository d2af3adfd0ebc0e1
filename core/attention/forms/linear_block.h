// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/head_bias.h"
#include "core/attention/memory/cache.h"

namespace vqscope {

/// Keys that a block of queries sees: some one by one, all before them through the cache.
struct SeenKeys {
  const CacheStates* cache = nullptr;  ///< null: nothing is cached
  Index state = 0;
  Index first = 0;                      ///< the first of the keys that are seen one by one
  const std::int32_t* codes = nullptr;  ///< from it on; -1: not valid
  StridedMatrix values;                 ///< from it on, 0 where the key is not valid; no rows: all is in the cache
};

/// Room of one worker.
struct LinearWorker {
  Room scores, weights, cache_factors, relative, values, products;
};

/// VQ attention of some queries (theorem 3.7 with remark 3.9): one product Q Cᵀ holds every score there is, and those
/// of single keys are read from it by shortcode. Cached codes are weighed by their counts after the exponential, which
/// is the same as adding ln n before it and loses nothing. One maximum and one denominator over everything; weights are
/// divided before they meet values. Queries are first_query, first_query + 1, ...; out [queries, d_v] is 0 before.
void linear_block(const StridedMatrix& queries, Index first_query, const StridedMatrix& codebook, const SeenKeys& keys,
                  const HeadBias& bias, const AttentionKernels& kernels, LinearWorker& worker,
                  const std::stop_token& stop, float* out);

}  // namespace vqscope
