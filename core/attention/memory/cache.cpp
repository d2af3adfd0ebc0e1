// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/cache.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

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

}  // namespace vqscope
