// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/form_parts.h"

#include "core/attention/tensor_view.h"

#include <algorithm>

namespace vqscope {
namespace {

float as_float(double x) { return static_cast<float>(x); }

/// The cache of a block, which takes the block's own keys up as soon as queries have passed them.
/// Its codes are ranked: those seen so far are the first ones.
class GrowingCache {
 public:
  GrowingCache(const SeenKeys& keys, LinearWorker& worker)
      : m_keys(keys),
        m_used(keys.cached_codes),
        m_d_v(keys.values.cols),
        m_counts(worker.counts),
        m_factors(worker.cache_factors.floats(keys.codewords.rows)),
        m_means(worker.means.floats(keys.codewords.rows * m_d_v)) {
    m_counts.assign(static_cast<std::size_t>(keys.codewords.rows), 0);
    if (m_used == 0) return;
    std::copy_n(keys.cache->counts_of(keys.state), m_used, m_counts.data());
    std::copy_n(keys.cache->means_of(keys.state), m_used * m_d_v, m_means);
    std::transform(m_counts.begin(), m_counts.begin() + m_used, m_factors, as_float);
  }

  /// Adds keys of the block, counted from its first.
  void add(Range keys) {
    for (Index j = keys.begin; j < keys.end; ++j)
      if (m_keys.codes[j] >= 0) add(m_keys.codes[j], m_keys.values.data + j * m_keys.values.stride);
  }

  Index used() const { return m_used; }
  const float* counts() const { return m_factors; }
  StridedMatrix means() const { return {m_means, m_used, m_d_v, m_d_v}; }

 private:
  void add(Index code, const float* value) {
    float* mean = m_means + code * m_d_v;
    double& count = m_counts[static_cast<std::size_t>(code)];
    m_factors[code] = as_float(++count);
    if (code == m_used) {
      ++m_used;
      std::copy_n(value, m_d_v, mean);
      return;
    }
    const float fraction = as_float(1 / count);
    for (Index c = 0; c < m_d_v; ++c) mean[c] += fraction * value[c] - fraction * mean[c];
  }

  const SeenKeys& m_keys;
  Index m_used;
  Index m_d_v;
  std::vector<double>& m_counts;
  float* m_factors;  ///< the same in float32
  float* m_means;    ///< [codes, d_v]
};

class Strips {
 public:
  Strips(const StridedMatrix& queries, Index first, const SeenKeys& keys, const HeadBias& bias,
         const AttentionKernels& kernels, LinearWorker& worker)
      : m_queries(queries),
        m_first(first),
        m_keys(keys),
        m_bias(bias),
        m_kernels(kernels),
        m_stride(keys.codewords.rows + score_margin),
        m_cache(keys, worker),
        m_scores(worker.scores.floats(strip_queries * m_stride) + score_margin),
        m_weights(worker.weights.floats(strip_queries * strip_queries)) {}

  void run(const std::stop_token& stop, float* out) {
    m_cache.add({0, m_first});
    for (Index begin = 0; begin < m_queries.rows && !stop.stop_requested(); begin += strip_queries) {
      const Range strip{begin, std::min(begin + strip_queries, m_queries.rows)};
      attend(strip, out + begin * m_keys.values.cols);
      if (strip.end < m_queries.rows) m_cache.add({m_first + strip.begin, m_first + strip.end});
    }
  }

 private:
  void attend(Range strip, float* out) {
    const Range keys{m_first + strip.begin, m_first + strip.end};
    const Index cached = m_cache.used();
    const auto seen_with = [&](Index used, Index key) { return std::max<Index>(used, m_keys.codes[key] + 1); };
    Index used = cached;
    for (Index j = keys.begin; j < keys.end; ++j) used = seen_with(used, j);
    m_kernels.row_products(rows_of(m_queries, strip), rows_of(m_keys.codewords, {0, used}), m_scores, m_stride);
    used = cached;
    for (Index i = 0; i < keys.size(); ++i) {
      used = seen_with(used, keys.begin + i);
      weigh(i, used, keys);
    }
    const StridedMatrix& values = m_keys.values;
    m_kernels.add_product({m_scores, keys.size(), cached, m_stride}, m_cache.means(), out, values.cols);
    m_kernels.add_product({m_weights, keys.size(), keys.size(), keys.size()}, rows_of(values, keys), out, values.cols);
  }

  /// Turns a query's scores of the `used` codes that it sees into weights of the cached codes and of
  /// the strip's keys up to its own.
  void weigh(Index i, Index used, Range keys) {
    float* scores = m_scores + i * m_stride;
    float* weights = m_weights + i * keys.size();
    std::fill(weights + i + 1, weights + keys.size(), 0.0F);
    const float max = m_kernels.largest(scores, used);
    if (max == hidden_score) {
      std::fill_n(scores, m_cache.used(), 0.0F);
      std::fill_n(weights, i + 1, 0.0F);
      return;
    }
    m_kernels.exponentials(scores, used, max);
    scores[-1] = 0;
    m_kernels.gather(scores, m_keys.codes + keys.begin, i + 1, weights);
    const float sum = m_kernels.weigh(scores, m_cache.counts(), m_cache.used()) + m_kernels.sum(weights, i + 1);
    const float divided = 1 / m_bias.denominator(max, sum);
    m_kernels.scale(scores, m_cache.used(), divided);
    m_kernels.scale(weights, i + 1, divided);
  }

  static StridedMatrix rows_of(const StridedMatrix& all, Range some) {
    return {all.data + some.begin * all.stride, some.size(), all.cols, all.stride};
  }

  const StridedMatrix& m_queries;
  Index m_first;  ///< key of the first query, counted from the block's first
  const SeenKeys& m_keys;
  const HeadBias& m_bias;
  const AttentionKernels& m_kernels;
  Index m_stride;
  GrowingCache m_cache;
  float* m_scores;   ///< [strip_queries, codes], then weights of the cached codes
  float* m_weights;  ///< [queries, keys] of the strip
};

}  // namespace

void linear_strips(const StridedMatrix& queries, Index first_query, const SeenKeys& keys, const HeadBias& bias,
                   const AttentionKernels& kernels, LinearWorker& worker, const std::stop_token& stop, float* out) {
  Strips(queries, first_query - keys.first, keys, bias, kernels, worker).run(stop, out);
}

}  // namespace vqscope
