// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kernels/kernels.h"
#include "core/base/index.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace vqscope {

/// State that VQ attention keeps for tokens outside of the window, for several blocks at once: for
/// each code the number of keys that have it and the mean of their values (Transformer-VQ, remark
/// 3.9). Means instead of sums, so that the values do not grow with T; counts in double, because
/// float32 stops counting at 2^24.
struct CacheStates {
  CacheStates() = default;
  CacheStates(Index states_, Index n_code_, Index d_v_);

  double* counts_of(Index state) { return counts.data() + state * n_code; }
  const double* counts_of(Index state) const { return counts.data() + state * n_code; }
  float* means_of(Index state) { return means.data() + state * n_code * d_v; }
  const float* means_of(Index state) const { return means.data() + state * n_code * d_v; }

  Index states = 0;
  Index n_code = 0;
  Index d_v = 0;
  std::vector<double> counts;  ///< [states, n_code]
  std::vector<float> means;    ///< [states, n_code, d_v], 0 where the count is 0
};

/// Keys of one block with their values, [keys, d_v].
struct CachedKeys {
  const std::int32_t* codes = nullptr;  ///< -1: left out
  const float* values = nullptr;
  Index count = 0;
};

/// Sets state `to` to state `from` with some keys added. For each code: n_new = n_old + their
/// number, μ = (n_old / n_new) μ_old + Σ v / n_new.
void add_keys(const CachedKeys& keys, CacheStates& states, Index from, Index to);

/// The same in two steps, the second of which may be split by columns of the means.
void add_counts(const CachedKeys& keys, CacheStates& states, Index from, Index to);
void add_values(const CachedKeys& keys, Range columns, CacheStates& states, Index from, Index to);

/// Merges a and b into state `into`, which may be one of them: n = a.n + b.n,
/// μ = (a.n / n) a.μ + (b.n / n) b.μ.
void merge(const CacheStates& a, Index of_a, const CacheStates& b, Index of_b, CacheStates& out, Index into);

/// Continues a cache block by block. `states` has one state more than there are blocks: the first
/// is the cache before them, and state i + 1 becomes the first plus blocks 0..i. Columns are
/// divided among threads, each of which goes through the blocks in order, so that the numbers do
/// not depend on the number of threads.
void scan_cache(std::span<const CachedKeys> blocks, int threads, const std::stop_token& stop, CacheStates& states);

/// The same for an empty first state, from each block's own cache: sums over all blocks up to i,
/// each weighted by its fraction of the count; O(n_code · blocks² · d_v).
void matmul_cache(std::span<const CachedKeys> blocks, int threads, const AttentionKernels& kernels,
                  const std::stop_token& stop, CacheStates& states);

/// The same by merging pairs of blocks, then pairs of pairs, and so on, and back again;
/// O(n_code · blocks · d_v) in about 2 log2(blocks) steps, each fully parallel.
void associative_scan_cache(std::span<const CachedKeys> blocks, int threads, const std::stop_token& stop,
                            CacheStates& states);

}  // namespace vqscope
