// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kernels/kernels.h"
#include "core/attention/memory/cache.h"

#include <span>
#include <stop_token>

namespace vqscope {

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
