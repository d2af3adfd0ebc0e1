// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/memory_input.h"
#include "core/attention/memory/retrieval_attention.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// exp of each score minus the largest, divided by their sum; empty if there are no scores.
std::vector<double> softmax_of(std::vector<double> scores) {
  if (scores.empty()) return scores;
  const double max = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - max);
  for (double& score : scores) score /= sum;
  return scores;
}

}  // namespace

Range memory_range(Index query, const RetrievalOptions& options) {
  const Index segment = query / options.segment_len * options.segment_len;
  return {std::max<Index>(segment - options.memory_len, 0), segment};
}

std::vector<RetrievedKey> RetrievalDefinition::retrieved(Index head, Index query) const {
  const Range memory = memory_range(query, m_options);
  if (memory.size() == 0) return {};
  auto found = define_found_keys(m_in.q.matrix(head, {query, query + 1}), m_in.k.matrix(m_in.kv_head(head), memory),
                                 {.top_k = m_options.top_k, .search = m_options.search});
  std::erase_if(found, [](const RetrievedKey& key) { return key.position < 0; });
  for (auto& key : found) key.position += memory.begin;
  return found;
}

std::vector<double> RetrievalDefinition::weights(Index head, Index query) const {
  const Range memory = memory_range(query, m_options);
  const float* q = m_in.q.row(head, query);
  std::vector<Index> positions;
  for (const auto& key : retrieved(head, query)) positions.push_back(key.position);
  const std::size_t from_memory = positions.size();
  for (Index j = memory.end; j <= query; ++j) positions.push_back(j);
  std::vector<double> scores;
  for (const Index j : positions) {
    const float* k = m_in.k.row(m_in.kv_head(head), j);
    double score = 0;
    for (Index c = 0; c < m_in.q.cols; ++c) score += static_cast<double>(q[c]) * static_cast<double>(k[c]);
    scores.push_back(score);
  }
  std::vector<double> row(static_cast<std::size_t>(m_in.k.rows));
  const auto give = [&](std::size_t first, const std::vector<double>& some, double factor) {
    for (std::size_t i = 0; i < some.size(); ++i)
      row[static_cast<std::size_t>(positions[first + i])] = factor * some[i];
  };
  const bool joint = m_options.mixing == MemoryMixing::joint || from_memory == 0;
  if (joint) {
    give(0, softmax_of(scores), 1);
    return row;
  }
  const double g = 1 / (1 + std::exp(-gate_of(m_options.gate, head)));
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(from_memory);
  give(0, softmax_of({scores.begin(), middle}), g);
  give(from_memory, softmax_of({middle, scores.end()}), 1 - g);
  return row;
}

std::vector<double> RetrievalDefinition::output(Index head, Index query) const {
  const auto row = weights(head, query);
  std::vector<double> sums(static_cast<std::size_t>(m_in.v.cols));
  for (Index j = 0; j < m_in.v.rows; ++j)
    for (std::size_t c = 0; c < sums.size(); ++c)
      sums[c] += row[static_cast<std::size_t>(j)] * static_cast<double>(m_in.v.row(m_in.kv_head(head), j)[c]);
  return sums;
}

}  // namespace vqscope
