// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_outputs.h"

#include "core/attention/memory/infini_attention.h"
#include "core/attention/memory/retrieval_attention.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index queries_compared = 32;
constexpr Index keys_at_once = 4096;

double norm(const std::vector<double>& row) {
  double sum = 0;
  for (const double each : row) sum += each * each;
  return std::sqrt(sum);
}

/// A softmax that takes scores and their values incrementally.
class RunningSoftmax {
 public:
  explicit RunningSoftmax(Index d_v) : m_out(static_cast<std::size_t>(d_v), 0) {}

  /// Adds `count` keys with the same score, whose values sum to `values`.
  template <class Real>
  void add(double score, double count, const Real* values) {
    if (score > m_max) {
      const double shrink = std::exp(m_max - score);
      for (double& each : m_out) each *= shrink;
      m_sum *= shrink;
      m_max = score;
    }
    const double weight = std::exp(score - m_max);
    m_sum += weight * count;
    for (std::size_t c = 0; c < m_out.size(); ++c) m_out[c] += weight * static_cast<double>(values[c]);
  }

  std::vector<double> output() {
    if (m_sum > 0)
      for (double& each : m_out) each /= m_sum;
    return std::move(m_out);
  }

 private:
  double m_max = -std::numeric_limits<double>::infinity();
  double m_sum = 0;
  std::vector<double> m_out;
};

double product(const float* a, const float* b, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

}  // namespace

ContextOutputs::ContextOutputs(const MemoryTokens& tokens, const ContextSizes& sizes, std::vector<float> codewords)
    : m_tokens(tokens),
      m_sizes(sizes),
      m_codewords(std::move(codewords)),
      m_quantiser({m_codewords.data(), sizes.n_code, sizes.d_k, sizes.d_k}, best_kernels()),
      m_counts(static_cast<std::size_t>(sizes.n_code), 0),
      m_sums(static_cast<std::size_t>(sizes.n_code * sizes.d_v), 0) {
  for (const ContextSystem system : {ContextSystem::infini_linear, ContextSystem::infini_delta})
    m_memories.emplace(system, InfiniMemory(sizes.d_k, sizes.d_v));
}

void ContextOutputs::go_on_to(Index length, const std::stop_token& stop) {
  const Index whole = (length - 1) / m_sizes.segment_len * m_sizes.segment_len;
  const StridedMatrix keys = matrix_of(m_tokens.stored_keys(), m_sizes.d_k),
                      values = matrix_of(m_tokens.values, m_sizes.d_v);
  for (; m_taken < whole && !stop.stop_requested(); m_taken += m_sizes.segment_len) {
    const Range segment{m_taken, m_taken + m_sizes.segment_len};
    for (auto& [system, memory] : m_memories)
      memory.write(rows_of(keys, segment), rows_of(values, segment), *infini_rule_of(system), stop);
    const auto codes = codes_of(segment);
    add_values(segment, codes);
  }
  m_newest = codes_of({m_taken, length});
}

std::vector<std::int32_t> ContextOutputs::codes_of(Range rows) const {
  std::vector<std::int32_t> codes(static_cast<std::size_t>(rows.size()));
  Scratch scratch;
  m_quantiser.encode(rows_of(matrix_of(m_tokens.keys, m_sizes.d_k), rows), nullptr, scratch, codes.data());
  return codes;
}

void ContextOutputs::add_values(Range rows, const std::vector<std::int32_t>& codes) {
  for (Index i = 0; i < rows.size(); ++i) {
    const Index code = codes[static_cast<std::size_t>(i)];
    m_counts[static_cast<std::size_t>(code)] += 1;
    const float* from = value(rows.begin + i);
    double* sum = m_sums.data() + code * m_sizes.d_v;
    for (Index c = 0; c < m_sizes.d_v; ++c) sum[c] += static_cast<double>(from[c]);
  }
}

ContextOutputs::Parts ContextOutputs::parts(ContextSystem system, Index tokens) const {
  const float* newest = query(tokens - 1);
  if (system == ContextSystem::vq) return {by_codes(newest, tokens), {}};
  Parts both{attend(newest, seen_directly(system, m_sizes, tokens)), {}};
  if (system == ContextSystem::memorizing) both.memory = retrieve(newest);
  if (!infini_rule_of(system)) return both;
  const InfiniMemory& memory = m_memories.at(system);
  both.memory.resize(both.local.size());
  memory.read(m_tokens.stored_queries().data() + (tokens - 1) * m_sizes.d_k, both.memory.data());
  return both;
}

/// The gate's b and β are 0: half of the output is local, half from the memory.
std::vector<double> ContextOutputs::output(ContextSystem system, Index tokens) const {
  Parts both = parts(system, tokens);
  for (std::size_t c = 0; c < both.memory.size(); ++c) both.local[c] = (both.local[c] + both.memory[c]) / 2;
  return std::move(both.local);
}

std::vector<double> ContextOutputs::attend(const float* query, const std::vector<Range>& keys) const {
  RunningSoftmax softmax(m_sizes.d_v);
  std::vector<float> scores(keys_at_once);
  for (const Range& range : keys)
    for (Index begin = range.begin; begin < range.end; begin += keys_at_once) {
      const Range some{begin, std::min(begin + keys_at_once, range.end)};
      best_kernels().row_products({query, 1, m_sizes.d_k, m_sizes.d_k},
                                  rows_of(matrix_of(m_tokens.keys, m_sizes.d_k), some), scores.data(), some.size());
      for (Index i = 0; i < some.size(); ++i)
        softmax.add(static_cast<double>(scores[static_cast<std::size_t>(i)]), 1, value(some.begin + i));
    }
  return softmax.output();
}

/// The part of the memory; empty if it holds nothing.
std::vector<double> ContextOutputs::retrieve(const float* query) const {
  const Range memory{std::max<Index>(0, m_taken - m_sizes.memory_len), m_taken};
  if (memory.size() == 0) return {};
  const SearchOptions options{.top_k = std::min(m_sizes.top_k, memory.size())};
  const auto found =
      find_keys({query, 1, m_sizes.d_k, m_sizes.d_k}, rows_of(matrix_of(m_tokens.keys, m_sizes.d_k), memory), options);
  RunningSoftmax softmax(m_sizes.d_v);
  for (const RetrievedKey& each : *found)
    softmax.add(static_cast<double>(each.score), 1, value(memory.begin + each.position));
  return softmax.output();
}

std::vector<double> ContextOutputs::by_codes(const float* query, Index tokens) const {
  std::vector<double> scores;
  for (Index code = 0; code < m_sizes.n_code; ++code)
    scores.push_back(product(query, m_codewords.data() + code * m_sizes.d_k, m_sizes.d_k));
  RunningSoftmax softmax(m_sizes.d_v);
  for (std::size_t code = 0; code < scores.size(); ++code)
    if (m_counts[code] > 0)
      softmax.add(scores[code], m_counts[code], m_sums.data() + code * static_cast<std::size_t>(m_sizes.d_v));
  for (Index token = m_taken; token < tokens; ++token)
    softmax.add(scores[static_cast<std::size_t>(m_newest[static_cast<std::size_t>(token - m_taken)])], 1, value(token));
  return softmax.output();
}

double ContextOutputs::error(ContextSystem system, Index length, const std::stop_token& stop) const {
  const Index first = std::max(m_taken, length - queries_compared);
  std::vector<std::vector<double>> wanted;
  std::vector<Parts> all;
  double along = 0, size = 0;
  for (Index tokens = first + 1; tokens <= length && !stop.stop_requested(); ++tokens) {
    const auto& exact = wanted.emplace_back(output(ContextSystem::full, tokens));
    const Parts& both = all.emplace_back(parts(system, tokens));
    for (std::size_t c = 0; c < both.memory.size(); ++c) {
      const double memory = both.memory[c] - both.local[c];
      along += memory * (exact[c] - both.local[c]);
      size += memory * memory;
    }
  }
  const double gate = size > 0 ? std::clamp(along / size, 0.0, 1.0) : 0;
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<double> apart = all[i].local;
    for (std::size_t c = 0; c < all[i].memory.size(); ++c) apart[c] += gate * (all[i].memory[c] - all[i].local[c]);
    for (std::size_t c = 0; c < apart.size(); ++c) apart[c] -= wanted[i][c];
    sum += norm(apart) / norm(wanted[i]);
  }
  return sum / static_cast<double>(length - first);
}

}  // namespace vqscope
