// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/recall_study.h"

#include "core/attention/rows.h"
#include "core/experiment/setting/row_errors.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {

double FarWeights::fraction() const { return 1 / (1 + std::exp(local_sum - far_sum)); }

Result<std::vector<FarWeights>> far_weights(const StridedMatrix& queries, const StridedMatrix& keys, Index segment_len,
                                            Range rows, const Work& work) {
  constexpr Index at_once = 16;
  const AttentionKernels& kernels = best_kernels();
  std::vector<float> scores(static_cast<std::size_t>(at_once * rows.end));
  std::vector<FarWeights> all;
  for (Index begin = rows.begin; begin < rows.end; begin += at_once) {
    if (work.stop.stop_requested()) return cancelled();
    const Index end = std::min(begin + at_once, rows.end);
    kernels.row_products(rows_of(queries, {begin, end}), rows_of(keys, {0, end}), scores.data(), end);
    for (Index row = begin; row < end; ++row) {
      float* own = scores.data() + (row - begin) * end;
      const Index segment = row / segment_len * segment_len;
      all.push_back({segment > 0 ? soften(own, segment) : -std::numeric_limits<double>::infinity(),
                     soften(own + segment, row + 1 - segment)});
    }
    work.report(static_cast<double>(end - rows.begin) / static_cast<double>(rows.size()));
  }
  return all;
}

Range recall_queries(const MemorySetting& s) {
  return {std::max(s.q_length - most_recall_queries, s.segment_len), s.q_length};
}

RecallStudy::RecallStudy(const RetrievalSetting& setting, const std::stop_token& stop)
    : m_setting(setting), m_tokens(memory_tokens(setting.memory, stop)), m_queries(recall_queries(setting.memory)) {}

Result<void> RecallStudy::prepare(const Work& work) {
  auto weights = far_weights(matrix_of(m_tokens.queries, m_tokens.d_k), matrix_of(m_tokens.keys, m_tokens.d_k),
                             m_setting.memory.segment_len, m_queries, work);
  if (!weights) return weights.error();
  m_far = std::move(*weights);
  return {};
}

double RecallStudy::full_far_fraction() const {
  double sum = 0;
  for (const FarWeights& each : m_far) sum += each.fraction();
  return sum / static_cast<double>(m_far.size());
}

Result<RecallPoint> RecallStudy::at(Index memory_len, Index top_k, const std::stop_token& stop) const {
  RetrievalOptions options = m_setting.options;
  options.memory_len = memory_len;
  options.top_k = top_k;
  const Work quiet{.progress = {}, .stop = stop};
  const auto chosen = retrieval_attention(m_tokens.input(), options, m_queries, quiet);
  if (!chosen) return chosen.error();
  options.search = options.search == RetrievalSearch::exact ? RetrievalSearch::bucket_maximum : RetrievalSearch::exact;
  const auto other = retrieval_attention(m_tokens.input(), options, m_queries, quiet);
  if (!other) return other.error();
  const bool exact_chosen = m_setting.options.search == RetrievalSearch::exact;
  return measured((exact_chosen ? *chosen : *other).retrieved, (exact_chosen ? *other : *chosen).retrieved, *chosen,
                  top_k);
}

RecallPoint RecallStudy::measured(const std::vector<RetrievedKey>& exact, const std::vector<RetrievedKey>& bucket,
                                  const RetrievalOutput& chosen, Index top_k) const {
  RecallPoint sums;
  double found = 0;
  for (Index i = 0; i < m_queries.size(); ++i) {
    const auto of = [&](const std::vector<RetrievedKey>& all) {
      return std::span(all).subspan(static_cast<std::size_t>(i * top_k), static_cast<std::size_t>(top_k));
    };
    const auto best = of(exact), maxima = of(bucket);
    const auto has = [](auto keys, Index position) {
      return std::ranges::count(keys, position, &RetrievedKey::position) > 0;
    };
    if (planted()) {
      const Index match = m_tokens.matches[static_cast<std::size_t>(m_queries.begin + i)];
      sums.planted += has(best, match);
      sums.planted_bucket += has(maxima, match);
    }
    for (const RetrievedKey& key : best) {
      if (key.position < 0) break;
      ++found;
      sums.bucket += has(maxima, key.position);
    }
    const FarWeights& full = m_far[static_cast<std::size_t>(i)];
    double retrieved = 0;  // part of the weight of all keys of earlier segments
    for (const RetrievedKey& key : of(chosen.retrieved))
      if (key.position >= 0) retrieved += std::exp(static_cast<double>(key.score) - full.far_sum);
    sums.far_weight += retrieved;
    sums.joint_fraction += FarWeights{full.far_sum + std::log(retrieved), full.local_sum}.fraction();
    sums.memory_fraction += static_cast<double>(chosen.memory_fraction[static_cast<std::size_t>(i)]);
  }
  const auto n = static_cast<double>(m_queries.size());
  return {sums.planted / n,    sums.planted_bucket / n,  sums.bucket / found,
          sums.far_weight / n, sums.memory_fraction / n, sums.joint_fraction / n};
}

double expected_bucket_recall(Index top_k) {
  const auto k = static_cast<double>(top_k);
  return 1 - std::pow(1 - 1 / k, k);
}

RecallCost recall_cost(const RetrievalSetting& setting, Index memory_len, Index top_k) {
  const MemorySetting& s = setting.memory;
  const Index last = s.q_length - 1, segment = last / s.segment_len * s.segment_len;
  const auto keys = static_cast<double>(std::min(memory_len, segment));
  const auto width = static_cast<double>(s.d_k + s.d_v);
  return {.search = keys * static_cast<double>(s.d_k),
          .attention = static_cast<double>(last + 1 - segment) * width +
                       std::min(keys, static_cast<double>(top_k)) * static_cast<double>(s.d_v),
          .full = static_cast<double>(s.q_length) * width,
          .bytes = 4 * keys * width};
}

}  // namespace vqscope
