// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/cache_reduction.h"

#include "core/base/parallel.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index columns_at_once = 64;

/// Writes each block's own cache to states 1, 2, ...; state 0 is empty.
void fill_by_block(std::span<const CachedKeys> blocks, int threads, const std::stop_token& stop, CacheStates& states) {
  parallel_for(static_cast<Index>(blocks.size()), threads, [&](Index i) {
    if (!stop.stop_requested()) add_keys(blocks[static_cast<std::size_t>(i)], states, 0, i + 1);
  });
}

/// Inclusive scan over states `begin`, `begin + step`, ... below states.states.
void scan_in_steps(Index begin, Index step, int threads, const std::stop_token& stop, CacheStates& states) {
  const auto count = (states.states - begin + step - 1) / step;
  if (count < 2 || stop.stop_requested()) return;
  // Merge every second state with the one before it ...
  parallel_for(count / 2, threads, [&](Index i) {
    const Index left = begin + 2 * i * step;
    if (!stop.stop_requested()) merge(states, left, states, left + step, states, left + step);
  });
  scan_in_steps(begin + step, 2 * step, threads, stop, states);
  // ... and the others with the states now before them.
  parallel_for((count - 1) / 2, threads, [&](Index i) {
    const Index left = begin + (2 * i + 1) * step;
    if (!stop.stop_requested()) merge(states, left, states, left + step, states, left + step);
  });
}

}  // namespace

void scan_cache(std::span<const CachedKeys> blocks, int threads, const std::stop_token& stop, CacheStates& states) {
  for (Index i = 0; i < static_cast<Index>(blocks.size()) && !stop.stop_requested(); ++i)
    add_counts(blocks[static_cast<std::size_t>(i)], states, i, i + 1);
  const Index stripes = (states.d_v + columns_at_once - 1) / columns_at_once;
  parallel_for(stripes, threads, [&](Index stripe) {
    const Range columns{stripe * columns_at_once, std::min((stripe + 1) * columns_at_once, states.d_v)};
    for (Index i = 0; i < static_cast<Index>(blocks.size()) && !stop.stop_requested(); ++i)
      add_values(blocks[static_cast<std::size_t>(i)], columns, states, i, i + 1);
  });
}

void matmul_cache(std::span<const CachedKeys> blocks, int threads, const AttentionKernels& kernels,
                  const std::stop_token& stop, CacheStates& states) {
  const auto count = static_cast<Index>(blocks.size());
  CacheStates by_block(count + 1, states.n_code, states.d_v);
  fill_by_block(blocks, threads, stop, by_block);
  for (Index i = 1; i <= count && !stop.stop_requested(); ++i)
    for (Index s = 0; s < states.n_code; ++s)
      states.counts_of(i)[s] = states.counts_of(i - 1)[s] + by_block.counts_of(i)[s];
  const Index stride = states.n_code * states.d_v;
  parallel_for(states.n_code, threads, [&](Index s) {
    if (stop.stop_requested()) return;
    std::vector<float> fractions(static_cast<std::size_t>(count * count));
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j <= i; ++j)
        if (const double n = by_block.counts_of(j + 1)[s]; n > 0)
          fractions[static_cast<std::size_t>(i * count + j)] = static_cast<float>(n / states.counts_of(i + 1)[s]);
    kernels.add_product({fractions.data(), count, count, count},
                        {by_block.means_of(1) + s * states.d_v, count, states.d_v, stride},
                        states.means_of(1) + s * states.d_v, stride);
  });
}

void associative_scan_cache(std::span<const CachedKeys> blocks, int threads, const std::stop_token& stop,
                            CacheStates& states) {
  fill_by_block(blocks, threads, stop, states);
  scan_in_steps(1, 1, threads, stop, states);
}

}  // namespace vqscope
