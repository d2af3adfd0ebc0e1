// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_forms.h"

#include "core/attention/bias/local_bias.h"
#include "core/attention/forms/form_parts.h"
#include "core/attention/tensor_view.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr Index queries_at_once = 256;
constexpr Index keys_at_once = 512;

struct Worker {
  Scratch scores, relative, values;
  ProductScratch products;
  std::vector<float> max, sum;
  std::vector<std::vector<Range>> visible;  ///< by query, if there is a mask
};

/// Some queries of one head and all the keys that they see.
class QueryBlock {
 public:
  QueryBlock(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
             const AttentionKernels& kernels, const HeadBias& bias, const std::stop_token& stop, Worker& worker)
      : m_input(input),
        m_keys(keys),
        m_options(options),
        m_kernels(kernels),
        m_bias(bias),
        m_stop(stop),
        m_worker(worker) {
    m_near_alone = options.form != AttentionForm::exact && !options.agg_cache;
    m_blocks_before = explicit_blocks(input, options);
  }

  void run(Index head, Range queries, float* out) {
    const Index d_v = m_input.v.cols;
    const Index length = m_keys.rows;
    m_worker.max.assign(static_cast<std::size_t>(queries.size()), hidden_score);
    m_worker.sum.assign(static_cast<std::size_t>(queries.size()), 0);
    if (m_input.mask) {
      m_worker.visible.resize(static_cast<std::size_t>(queries.size()));
      for (Index i = 0; i < queries.size(); ++i)
        m_input.mask->row(queries.begin + i, m_worker.visible[static_cast<std::size_t>(i)]);
    }
    m_relative = m_bias.relative_scores(m_input.q.matrix(head, queries), m_worker.relative, m_kernels);
    const Index end = m_options.skip_hidden ? seen(queries.end - 1).end : length;
    const Index begin = m_options.skip_hidden ? seen(queries.begin).begin / keys_at_once * keys_at_once : 0;
    for (Index first = begin; first < end && !m_stop.stop_requested(); first += keys_at_once)
      take(head, queries, {first, std::min(first + keys_at_once, end)}, out);
    for (Index i = 0; i < queries.size(); ++i)
      if (const float sum = m_worker.sum[static_cast<std::size_t>(i)]; sum != 0)
        m_kernels.scale(out + i * d_v, d_v, 1 / m_bias.denominator(m_worker.max[static_cast<std::size_t>(i)], sum));
  }

 private:
  /// Keys that the query sees if all are valid.
  Range seen(Index query) const {
    if (!m_options.causal) return {0, m_keys.rows};
    if (!m_near_alone) return {0, query + 1};
    return {std::max<Index>(0, (query / m_options.block_len - m_blocks_before) * m_options.block_len), query + 1};
  }

  /// Adds the contribution of some keys to the sums.
  void take(Index head, Range queries, Range keys, float* out) {
    const Index kv_head = head / (m_input.q.heads / m_keys.heads);
    const auto valid = m_input.key_valid;
    float* scores = m_worker.scores.floats(queries.size() * keys.size());
    scores_of_keys(m_input, m_options.form, head, m_keys, queries, keys, m_kernels, m_worker.products, scores);
    m_some_hidden = any_hidden(valid, keys);
    for (Index i = 0; i < queries.size(); ++i)
      weigh(queries.begin + i, i, keys, scores + i * keys.size(), out + i * m_input.v.cols);
    m_kernels.add_product({scores, queries.size(), keys.size(), keys.size()},
                          visible_rows(m_input.v, kv_head, keys, valid, m_worker.values), out, m_input.v.cols);
  }

  /// Turns scores into weights relative to the largest score so far, and rescales the earlier sums
  /// to it.
  void weigh(Index query, Index i, Range keys, float* scores, float* out) {
    Range row = common(seen(query), keys);
    if (row.size() < 0) row = {keys.begin, keys.begin};
    float* first = scores + (row.begin - keys.begin);
    if (row.size() > 0) add_bias(query, i, row, first);
    float unseen = hidden_score;
    if (m_options.skip_hidden) unseen = 0;
    std::fill(scores, first, unseen);
    std::fill(first + row.size(), scores + keys.size(), unseen);
    if (!m_options.skip_hidden) row = keys, first = scores;
    float& max = m_worker.max[static_cast<std::size_t>(i)];
    float& sum = m_worker.sum[static_cast<std::size_t>(i)];
    const float new_max = std::max(max, m_kernels.largest(first, row.size()));
    if (new_max == hidden_score) {
      std::fill_n(first, row.size(), 0.0F);
      return;
    }
    if (new_max != max) {
      const float kept = std::exp(max - new_max);
      if (sum != 0) m_kernels.scale(out, m_input.v.cols, kept);
      sum *= kept;
      max = new_max;
    }
    sum += m_kernels.exponentials(first, row.size(), max);
  }

  void add_bias(Index query, Index i, Range row, float* scores) const {
    if (!m_bias.none())
      m_bias.add(query, row, m_relative == nullptr ? nullptr : m_relative + i * m_bias.row_size(), m_kernels, scores);
    if (m_input.mask) hide_others(m_worker.visible[static_cast<std::size_t>(i)], row, scores);
    if (!m_some_hidden) return;
    for (Index j = row.begin; j < row.end; ++j)
      if (m_input.key_valid[static_cast<std::size_t>(j)] == 0) scores[j - row.begin] = hidden_score;
  }

  const AttentionInput& m_input;
  const TensorView& m_keys;
  const AttentionOptions& m_options;
  const AttentionKernels& m_kernels;
  const HeadBias& m_bias;
  const std::stop_token& m_stop;
  Worker& m_worker;
  bool m_near_alone;  ///< keys more than m_blocks_before blocks back are not visible
  Index m_blocks_before;
  const float* m_relative = nullptr;
  bool m_some_hidden = false;
};

}  // namespace

void full_attention(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
                    const AttentionKernels& kernels, const Work& work, float* out) {
  std::vector<HeadBias> biases;
  for (Index head = 0; head < input.q.heads; ++head) biases.emplace_back(input.bias, head, input.q.cols);
  const Index length = input.q.rows;
  const Index blocks = (length + queries_at_once - 1) / queries_at_once;
  std::vector<Worker> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(workers, input.q.heads * blocks, work, 0, input.q.heads * blocks, [&](Index item, Worker& worker) {
    const Index head = item % input.q.heads;
    const Index begin =
        (blocks - 1 - item / input.q.heads) * queries_at_once;  // long rows first, so that threads finish together
    const Range queries{begin, std::min(begin + queries_at_once, length)};
    QueryBlock block(input, keys, options, kernels, biases[static_cast<std::size_t>(head)], work.stop, worker);
    block.run(head, queries, out + (head * length + begin) * input.v.cols);
  });
}

Index full_attention_room(const AttentionInput& input, const AttentionOptions& options) {
  const Index relative = input.bias.relative.empty() ? 0 : queries_at_once * (input.bias.window + 1);
  const Index copies = input.key_valid.empty() ? 0 : keys_at_once * (input.k.cols + input.v.cols);
  return std::max(options.threads, 1) * (queries_at_once * keys_at_once + relative + copies);
}

}  // namespace vqscope
