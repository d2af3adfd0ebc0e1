// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_forms.h"

#include "core/attention/forms/form_parts.h"
#include "core/attention/tensor_view.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index queries_together = 64;

struct ElementwiseWorker {
  ScoreScratch scratch;
  Scratch weights, values;
  std::vector<float> sums;  ///< U of theorem 3.6: the sum of the values of each code
};

/// One head of the output.
class ElementwiseHead {
 public:
  ElementwiseHead(const AttentionInput& input, const AttentionOptions& options, const TensorView& keys,
                  std::span<const std::int32_t> codes, Index head, ElementwiseWorker& worker,
                  const std::stop_token& stop, float* out)
      : m_input(input),
        m_options(options),
        m_keys(keys),
        m_head(head),
        m_kv_head(head / (input.q.heads / input.k.heads)),
        m_scores(input, options, head),
        m_worker(worker),
        m_stop(stop),
        m_out(out) {
    if (!codes.empty()) m_codes = codes.subspan(static_cast<std::size_t>(m_kv_head * length()));
  }

  /// Key by key.
  void quadratic() {
    const bool near_alone = m_options.form != AttentionForm::exact && !m_options.agg_cache;
    for (Index begin = 0; begin < length() && !m_stop.stop_requested(); begin += queries_together)
      weigh_keys({begin, std::min(begin + queries_together, length())}, {0, length()}, near_alone);
  }

  /// Keys of near blocks one by one, older ones by their codes.
  void linear() {
    const Index block_len = m_options.causal ? m_options.block_len : length();
    const Index before = m_options.causal ? explicit_blocks(m_input, m_options) : -1;
    m_worker.sums.assign(static_cast<std::size_t>(m_input.codebook.rows * m_input.v.cols), 0);
    Index summed = 0;
    for (Index begin = 0; begin < length() && !m_stop.stop_requested(); begin += block_len) {
      const Index near = std::clamp<Index>(begin - before * block_len, 0, length());
      if (m_options.agg_cache || !m_options.causal) add_values({summed, near});
      summed = near;
      const Index end = std::min(begin + block_len, length());
      for (Index first = begin; first < end; first += queries_together) {
        const Range queries{first, std::min(first + queries_together, end)};
        weigh_codes(queries);
        if (m_options.causal) weigh_keys(queries, {near, queries.end}, false);
      }
    }
  }

 private:
  Index length() const { return m_input.k.rows; }
  float* out_of(Index query) { return m_out + (m_head * length() + query) * m_input.v.cols; }

  void apply(float* scores, Index count) const {
    for (Index i = 0; i < count; ++i) scores[i] = elementwise_weight(m_options.weights, scores[i]);
  }

  void weigh_keys(Range queries, Range keys, bool near_alone) {
    float* weights = m_worker.weights.floats(queries.size() * keys.size());
    m_scores.fill(m_keys, queries, keys, near_alone, m_worker.scratch, weights);
    apply(weights, queries.size() * keys.size());
    best_kernels().add_product({weights, queries.size(), keys.size(), keys.size()},
                               visible_rows(m_input.v, m_kv_head, keys, m_input.key_valid, m_worker.values),
                               out_of(queries.begin), m_input.v.cols);
  }

  /// out += φ(Q Cᵀ + B beyond the window) U.
  void weigh_codes(Range queries) {
    const TensorView& codebook = m_input.codebook;
    float* weights = m_worker.weights.floats(queries.size() * codebook.rows);
    best_kernels().row_products(m_input.q.matrix(m_head, queries),
                                codebook.matrix(std::min(m_kv_head, codebook.heads - 1)), weights, codebook.rows);
    for (Index i = 0; i < queries.size() * codebook.rows; ++i) weights[i] += m_scores.bias().beyond();
    apply(weights, queries.size() * codebook.rows);
    best_kernels().add_product({weights, queries.size(), codebook.rows, codebook.rows},
                               {m_worker.sums.data(), codebook.rows, m_input.v.cols, m_input.v.cols},
                               out_of(queries.begin), m_input.v.cols);
  }

  void add_values(Range keys) {
    for (Index j = keys.begin; j < keys.end; ++j)
      if (const Index code = m_codes[static_cast<std::size_t>(j)]; code >= 0)
        best_kernels().add(m_worker.sums.data() + code * m_input.v.cols, m_input.v.row(m_kv_head, j), m_input.v.cols);
  }

  const AttentionInput& m_input;
  const AttentionOptions& m_options;
  const TensorView& m_keys;
  Index m_head;
  Index m_kv_head;
  HeadScores m_scores;
  ElementwiseWorker& m_worker;
  const std::stop_token& m_stop;
  std::span<const std::int32_t> m_codes;  ///< of the head's keys
  float* m_out;
};

}  // namespace

float elementwise_weight(WeightFunction function, float score) {
  assert(function != WeightFunction::softmax);
  if (function == WeightFunction::exponential) return std::exp(score);
  return score > 0 ? score * score : 0;
}

void elementwise_attention(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
                           std::span<const std::int32_t> codes, const Work& work, float* out) {
  std::vector<ElementwiseWorker> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(workers, input.q.heads, work, 0, input.q.heads, [&](Index head, ElementwiseWorker& worker) {
    ElementwiseHead one(input, options, keys, codes, head, worker, work.stop, out);
    if (options.form == AttentionForm::vq_linear)
      one.linear();
    else
      one.quadratic();
  });
}

}  // namespace vqscope
