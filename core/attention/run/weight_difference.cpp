// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/attention_run.h"

#include "core/attention/forms/form_parts.h"
#include "core/attention/rows.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index queries_compared_at_once = 64;
constexpr Index cells_of_a_worker = Index{1} << 20;  // of one worker's rows

struct VariationWorker {
  Scratch exact, quantised;
  ScoreScratch scratch;
};

/// Scores of all heads, with keys and with codewords, whose late rotations differ.
class ScoresOfForms {
 public:
  /// Both must outlive it.
  ScoresOfForms(const AttentionInput& input, const AttentionOptions& options) : m_exact_options(options) {
    m_exact_options.form = AttentionForm::exact;
    for (Index head = 0; head < input.q.heads; ++head) {
      m_exact.emplace_back(input, m_exact_options, head);
      m_quantised.emplace_back(input, options, head);
    }
  }
  ScoresOfForms(const ScoresOfForms&) = delete;  // the scores refer to the options
  ScoresOfForms& operator=(const ScoresOfForms&) = delete;

  const HeadScores& exact(Index head) const { return m_exact[static_cast<std::size_t>(head)]; }
  const HeadScores& quantised(Index head) const { return m_quantised[static_cast<std::size_t>(head)]; }

 private:
  AttentionOptions m_exact_options;
  std::vector<HeadScores> m_exact, m_quantised;
};

/// Weights [queries, T] of one head; a row of zeros where the query sees nothing.
void fill_weights(const HeadScores& scores, const TensorView& keys, Range queries, bool near_alone,
                  VariationWorker& worker, float* out) {
  scores.fill(keys, queries, {0, keys.rows}, near_alone, worker.scratch, out);
  for (Index i = 0; i < queries.size(); ++i) soften(out + i * keys.rows, keys.rows, scores.bias().sink());
}

struct VariationSum {
  double apart = 0;
  Index rows = 0;  ///< that see a key

  void add(const VariationSum& other) {
    apart += other.apart;
    rows += other.rows;
  }
  double mean() const { return rows > 0 ? apart / static_cast<double>(rows) : 0; }
};

void add_variation(const float* a, const float* b, Index count, VariationSum& sum) {
  double apart = 0, weight = 0;
  for (Index j = 0; j < count; ++j) {
    apart += std::abs(static_cast<double>(a[j]) - static_cast<double>(b[j]));
    weight += static_cast<double>(a[j]);
  }
  if (weight == 0) return;
  sum.apart += apart / 2;
  ++sum.rows;
}

}  // namespace

Result<TotalVariation> mean_total_variation(const AttentionInput& input, const TensorView& quantised,
                                            const AttentionOptions& options, const Work& work) {
  const Index length = input.q.rows,
              at_once = std::clamp<Index>(cells_of_a_worker / length, 1, queries_compared_at_once);
  const Index blocks = (length + at_once - 1) / at_once, items = input.q.heads * blocks;
  const ScoresOfForms heads(input, options);
  std::vector<VariationSum> sums(static_cast<std::size_t>(items));  // summed in order, whatever the threads
  std::vector<VariationWorker> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(workers, items, work, 0, items, [&](Index item, VariationWorker& worker) {
    const Range queries{item % blocks * at_once, std::min((item % blocks + 1) * at_once, length)};
    const Index head = item / blocks;
    float* exact = worker.exact.floats(queries.size() * length);
    float* codes = worker.quantised.floats(queries.size() * length);
    fill_weights(heads.exact(head), input.k, queries, false, worker, exact);
    fill_weights(heads.quantised(head), quantised, queries, !options.agg_cache, worker, codes);
    for (Index i = 0; i < queries.size() && !work.stop.stop_requested(); ++i)
      add_variation(exact + i * length, codes + i * length, length, sums[static_cast<std::size_t>(item)]);
  });
  if (work.stop.stop_requested()) return cancelled();
  VariationSum all;
  TotalVariation variation;
  for (Index head = 0; head < input.q.heads; ++head) {
    VariationSum one;
    for (Index block = 0; block < blocks; ++block) one.add(sums[static_cast<std::size_t>(head * blocks + block)]);
    variation.by_head.push_back(one.mean());
    all.add(one);
  }
  variation.mean = all.mean();
  return variation;
}

namespace {

/// Row `query` of a head's exact output, from its weights.
void fill_output(const AttentionInput& input, Index head, Index query, const float* weights, std::vector<double>& out) {
  const Index kv_head = head / (input.q.heads / input.k.heads);
  std::ranges::fill(out, 0);
  for (Index j = 0; j < input.k.rows; ++j) {
    if (weights[j] == 0) continue;  // values of keys that are not valid may be anything
    const float* value = input.v.row(kv_head, j);
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] += static_cast<double>(weights[j]) * static_cast<double>(value[c]);
  }
  if (input.gate.empty()) return;
  const float* gate = input.gate.row(head, query);
  for (std::size_t c = 0; c < out.size(); ++c) out[c] *= static_cast<double>(gate[c]);
}

/// Differences of one query of one head.
struct QueryDifference {
  SquaredDistance distance;
  VariationSum variation;
  double largest = 0;
};

QueryDifference difference_of(const AttentionInput& input, Index head, Index query, const float* exact,
                              const float* codes, const float* output) {
  QueryDifference difference;
  add_variation(exact, codes, input.k.rows, difference.variation);
  std::vector<double> wanted(static_cast<std::size_t>(input.v.cols));
  fill_output(input, head, query, exact, wanted);
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    difference.distance.add(output[c], wanted[c]);
    difference.largest = std::max(difference.largest, std::abs(static_cast<double>(output[c]) - wanted[c]));
  }
  return difference;
}

/// The last of each of `queries` equal parts.
Index sampled_query(Index i, Index queries, Index length) { return length * (i + 1) / queries - 1; }

}  // namespace

Result<AttentionDifference> sampled_difference(const AttentionInput& input, const TensorView& quantised,
                                               const AttentionOptions& options, std::span<const float> output,
                                               Index queries, const Work& work) {
  const Index length = input.q.rows, items = input.q.heads * queries;
  const ScoresOfForms heads(input, options);
  std::vector<QueryDifference> all(static_cast<std::size_t>(items));
  std::vector<VariationWorker> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(workers, items, work, 0, items, [&](Index item, VariationWorker& worker) {
    const Index head = item / queries, query = sampled_query(item % queries, queries, length);
    float* exact = worker.exact.floats(length);
    float* codes = worker.quantised.floats(length);
    fill_weights(heads.exact(head), input.k, {query, query + 1}, false, worker, exact);
    fill_weights(heads.quantised(head), quantised, {query, query + 1}, !options.agg_cache, worker, codes);
    all[static_cast<std::size_t>(item)] =
        difference_of(input, head, query, exact, codes, output.data() + (head * length + query) * input.v.cols);
  });
  if (work.stop.stop_requested()) return cancelled();
  AttentionDifference difference{.total_variation = TotalVariation{}};
  SquaredDistance distance;
  VariationSum variation;
  for (Index head = 0; head < input.q.heads; ++head) {
    QueryDifference one;
    for (Index i = 0; i < queries; ++i) {
      const QueryDifference& each = all[static_cast<std::size_t>(head * queries + i)];
      one.distance.add(each.distance);
      one.variation.add(each.variation);
      if (each.largest <= difference.largest) continue;
      difference.largest = each.largest;
      difference.head = head;
      difference.token = sampled_query(i, queries, length);
    }
    difference.output_error_by_head.push_back(one.distance.relative());
    difference.total_variation->by_head.push_back(one.variation.mean());
    distance.add(one.distance);
    variation.add(one.variation);
  }
  difference.output_error = distance.relative();
  difference.total_variation->mean = variation.mean();
  return difference;
}

}  // namespace vqscope
