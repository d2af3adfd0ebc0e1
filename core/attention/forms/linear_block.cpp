// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/form_parts.h"

#include "core/attention/tensor_view.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index triangle_rows = 64;  // rows per strip for the keys of the query's own block

class Block {
 public:
  Block(const StridedMatrix& queries, Index first_query, const SeenKeys& keys, const HeadBias& bias,
        const AttentionKernels& kernels, LinearWorker& worker, const std::stop_token& stop)
      : m_queries(queries),
        m_first_query(first_query),
        m_keys(keys),
        m_bias(bias),
        m_kernels(kernels),
        m_stop(stop),
        m_codes(keys.cached_codes),
        m_score_stride(keys.codewords.rows + score_margin),
        m_single(keys.values.rows == 0 ? 0 : first_query + queries.rows - keys.first),
        m_scores(worker.scores.floats(queries.rows * m_score_stride) + score_margin),
        m_weights(worker.weights.floats(queries.rows * m_single)),
        m_relative(bias.relative_scores(queries, worker.relative, kernels)) {
    const RotatedBlock& rotation = keys.rotation;
    kernels.row_products(rotation.none() ? queries : rotation.far_queries, keys.codewords, m_scores, m_score_stride);
    if (!rotation.none() && m_single > 0)
      kernels.row_products(rotation.queries, rotation.codewords, m_weights, m_single);
    if (keys.cache != nullptr) prepare_cache(worker.cache_factors.floats(2 * m_codes));
  }

  void run(float* out) {
    for (Index i = 0; i < m_queries.rows; ++i) {
      if (m_stop.stop_requested()) return;
      weigh(i);
    }
    const Index d_v = m_keys.cache != nullptr ? m_keys.cache->d_v : m_keys.values.cols;
    if (m_keys.cache != nullptr)
      m_kernels.add_product({m_scores, m_queries.rows, m_codes, m_score_stride},
                            {m_keys.cache->means_of(m_keys.state), m_codes, d_v, d_v}, out, d_v);
    for (Index begin = 0; begin < m_queries.rows && m_single > 0; begin += triangle_rows) {
      const Index end = std::min(begin + triangle_rows, m_queries.rows);
      add_values({begin, end}, seen_by(end - 1), out + begin * d_v);
    }
  }

 private:
  /// Adds the values of the first `seen` single keys to some queries, in parts if there are many
  /// keys.
  void add_values(Range queries, Index seen, float* out) const {
    constexpr Index most_numbers = Index{1} << 22;
    const Index d_v = m_keys.values.cols;
    const Index some = std::max<Index>(1024, most_numbers / d_v);
    for (Index first = 0; first < seen && !m_stop.stop_requested(); first += some) {
      StridedMatrix values = m_keys.values;
      values.data += first * values.stride;
      values.rows = std::min(some, seen - first);
      m_kernels.add_product({m_weights + queries.begin * m_single + first, queries.size(), values.rows, m_single},
                            values, out, d_v);
    }
  }

  /// Number of single keys that a query sees.
  Index seen_by(Index i) const { return m_single == 0 ? 0 : m_first_query + i - m_keys.first + 1; }

  /// Prepares the counts and the bias beyond the window for the scores of cached codes, or hides
  /// them all.
  void prepare_cache(float* factors) {
    const double* counts = m_keys.cache->counts_of(m_keys.state);
    for (Index s = 0; s < m_codes; ++s) {
      factors[s] = static_cast<float>(counts[s]);
      factors[m_codes + s] = counts[s] > 0 ? m_bias.beyond() : hidden_score;
    }
    m_counts = factors;
    m_terms = factors + m_codes;
  }

  /// Scores of the single keys. With a rotation those within its window are there already.
  void gather(Index i, const float* scores, Index seen, float* weights) const {
    const RotatedBlock& rotation = m_keys.rotation;
    if (rotation.none()) return m_kernels.gather(scores, m_keys.codes, seen, weights);
    m_kernels.gather(scores, m_keys.codes,
                     std::clamp<Index>(m_first_query + i - rotation.window - m_keys.first, 0, seen), weights);
    for (Index j = 0; j < seen; ++j)
      if (m_keys.codes[j] < 0) weights[j] = hidden_score;
  }

  /// Turns the scores of a query into weights.
  void weigh(Index i) {
    float* scores = m_scores + i * m_score_stride;
    float* weights = m_weights + i * m_single;
    const Index seen = seen_by(i);
    scores[-1] = hidden_score;
    gather(i, scores, seen, weights);
    if (!m_bias.none() && seen > 0) {
      const float* relative = m_relative == nullptr ? nullptr : m_relative + i * m_bias.row_size();
      m_bias.add(m_first_query + i, {m_keys.first, m_keys.first + seen}, relative, m_kernels, weights);
    }
    m_kernels.add(scores, m_terms, m_codes);
    const float max = std::max(m_kernels.largest(scores, m_codes), m_kernels.largest(weights, seen));
    const Index strip_end = std::min((i / triangle_rows + 1) * triangle_rows, m_queries.rows);
    std::fill(weights + seen, weights + seen_by(strip_end - 1), 0.0F);
    if (max == hidden_score) {
      std::fill_n(scores, m_codes, 0.0F);
      std::fill_n(weights, seen, 0.0F);
      return;
    }
    m_kernels.exponentials(scores, m_codes, max);
    const float keys = m_kernels.weigh(scores, m_counts, m_codes) + m_kernels.exponentials(weights, seen, max);
    const float sum = m_bias.denominator(max, keys);
    m_kernels.scale(scores, m_codes, 1 / sum);
    m_kernels.scale(weights, seen, 1 / sum);
  }

  const StridedMatrix& m_queries;
  Index m_first_query;
  const SeenKeys& m_keys;
  const HeadBias& m_bias;
  const AttentionKernels& m_kernels;
  const std::stop_token& m_stop;
  Index m_codes;  ///< cached
  Index m_score_stride;
  Index m_single;    ///< keys seen one by one by the last query
  float* m_scores;   ///< [queries, codes], then weights of the cached codes
  float* m_weights;  ///< [queries, m_single]
  const float* m_relative;
  const float* m_counts = nullptr;
  const float* m_terms = nullptr;
};

}  // namespace

void linear_block(const StridedMatrix& queries, Index first_query, const SeenKeys& keys, const HeadBias& bias,
                  const AttentionKernels& kernels, LinearWorker& worker, const std::stop_token& stop, float* out) {
  Block(queries, first_query, keys, bias, kernels, worker, stop).run(out);
}

}  // namespace vqscope
