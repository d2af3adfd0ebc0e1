// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/cache.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cassert>

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

CacheStates::CacheStates(Index states_, Index n_code_, Index d_v_)
    : states(states_),
      n_code(n_code_),
      d_v(d_v_),
      counts(static_cast<std::size_t>(states_ * n_code_)),
      means(static_cast<std::size_t>(states_ * n_code_ * d_v_)) {}

void add_counts(const CachedKeys& keys, CacheStates& states, Index from, Index to) {
  assert(from != to);
  double* counts = states.counts_of(to);
  std::copy_n(states.counts_of(from), states.n_code, counts);
  for (Index j = 0; j < keys.count; ++j)
    if (keys.codes[j] >= 0) ++counts[keys.codes[j]];
}

void add_values(const CachedKeys& keys, Range columns, CacheStates& states, Index from, Index to) {
  const double* before = states.counts_of(from);
  const double* after = states.counts_of(to);
  const Index d_v = states.d_v;
  const float* old = states.means_of(from);
  float* means = states.means_of(to);
  for (Index s = 0; s < states.n_code; ++s) {
    const auto kept = static_cast<float>(after[s] == 0 ? 0 : before[s] / after[s]);
    for (Index c = columns.begin; c < columns.end; ++c) means[s * d_v + c] = kept * old[s * d_v + c];
  }
  for (Index j = 0; j < keys.count; ++j) {
    if (keys.codes[j] < 0) continue;
    const auto fraction = static_cast<float>(1 / after[keys.codes[j]]);
    float* mean = means + keys.codes[j] * d_v;
    const float* value = keys.values + j * d_v;
    for (Index c = columns.begin; c < columns.end; ++c) mean[c] += fraction * value[c];
  }
}

void add_keys(const CachedKeys& keys, CacheStates& states, Index from, Index to) {
  add_counts(keys, states, from, to);
  add_values(keys, {0, states.d_v}, states, from, to);
}

void merge(const CacheStates& a, Index of_a, const CacheStates& b, Index of_b, CacheStates& out, Index into) {
  assert(a.n_code == b.n_code && a.d_v == b.d_v && a.n_code == out.n_code && a.d_v == out.d_v);
  for (Index s = 0; s < a.n_code; ++s) {
    const double n_a = a.counts_of(of_a)[s];
    const double n_b = b.counts_of(of_b)[s];
    out.counts_of(into)[s] = n_a + n_b;
    const auto fraction_a = static_cast<float>(n_a + n_b == 0 ? 0 : n_a / (n_a + n_b));
    const auto fraction_b = static_cast<float>(n_a + n_b == 0 ? 0 : n_b / (n_a + n_b));
    const float* mean_a = a.means_of(of_a) + s * a.d_v;
    const float* mean_b = b.means_of(of_b) + s * a.d_v;
    float* mean = out.means_of(into) + s * a.d_v;
    for (Index c = 0; c < a.d_v; ++c) mean[c] = fraction_a * mean_a[c] + fraction_b * mean_b[c];
  }
}

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
