// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_outputs.h"

#include "core/attention/memory/retrieval_attention.h"
#include "core/experiment/long_context/running_softmax.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index keys_at_once = 4096;
constexpr double copying_bias = 20;  // far above the logarithm of the number of keys

double score_product(const float* a, const float* b, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

std::vector<float> scaled_rows(const float* rows, Index count, double factor) {
  std::vector<float> scaled(rows, rows + count);
  for (float& number : scaled) number = static_cast<float>(factor * static_cast<double>(number));
  return scaled;
}

}  // namespace

bool ContextOptions::asks(ContextSystem system) const {
  return systems.empty() || std::ranges::count(systems, system) > 0;
}

ContextOutputs::ContextOutputs(const MemoryTokens& tokens, const ContextSizes& sizes, ContextCodebooks codebooks,
                               ContextOptions options)
    : m_tokens(tokens),
      m_sizes(sizes),
      m_codebooks(std::move(codebooks)),
      m_options(std::move(options)),
      m_codewords({m_codebooks.codewords.data(), sizes.n_code, sizes.d_k, sizes.d_k}, best_kernels()),
      m_centroids({m_codebooks.centroids.data(), sizes.n_cluster, sizes.d_k, sizes.d_k}, best_kernels()),
      m_counts(static_cast<std::size_t>(sizes.n_code), 0),
      m_sums(static_cast<std::size_t>(sizes.n_code * sizes.d_v), 0),
      m_clusters(static_cast<std::size_t>(sizes.n_cluster)) {
  for (const ContextSystem system : {ContextSystem::infini_linear, ContextSystem::infini_delta})
    if (m_options.asks(system))
      m_memories[system].assign(m_options.stored_scales.size(), InfiniMemory(sizes.d_k, sizes.d_v));
}

void ContextOutputs::go_on_to(Index length, const std::stop_token& stop) {
  const Index whole = (length - 1) / m_sizes.segment_len * m_sizes.segment_len;
  for (; m_taken < whole && !stop.stop_requested(); m_taken += m_sizes.segment_len)
    take({m_taken, m_taken + m_sizes.segment_len}, stop);
  m_length = length;
  m_codes_from = std::max<Index>(0, m_taken - m_sizes.block_len);
  if (m_options.asks(ContextSystem::vq)) m_codes = codes_of(m_codewords, key(m_codes_from), length - m_codes_from);
  if (m_options.asks(ContextSystem::compressive)) pool(compressive_view(m_sizes.compressive(), length - 1).groups.end);
}

void ContextOutputs::take(Range segment, const std::stop_token& stop) {
  const float* keys = m_tokens.stored_keys().data() + segment.begin * m_sizes.d_k;
  const StridedMatrix values = rows_of(matrix_of(m_tokens.values, m_sizes.d_v), segment);
  for (auto& [system, memories] : m_memories)
    for (std::size_t i = 0; i < memories.size(); ++i) {
      const auto scaled = scaled_rows(keys, segment.size() * m_sizes.d_k, m_options.stored_scales[i]);
      memories[i].write(matrix_of(scaled, m_sizes.d_k), values, *infini_rule_of(system), stop);
    }
  if (m_options.asks(ContextSystem::clustered)) {
    const auto codes = codes_of(m_centroids, key(segment.begin), segment.size());
    for (Index i = 0; i < segment.size(); ++i)
      m_clusters[static_cast<std::size_t>(codes[static_cast<std::size_t>(i)])].push_back(segment.begin + i);
  }
  if (!m_options.asks(ContextSystem::vq)) return;
  const auto codes = codes_of(m_codewords, key(segment.begin), segment.size());
  for (Index i = 0; i < segment.size(); ++i) {
    const Index code = codes[static_cast<std::size_t>(i)];
    m_counts[static_cast<std::size_t>(code)] += 1;
    const float* from = value(segment.begin + i);
    double* sum = m_sums.data() + code * m_sizes.d_v;
    for (Index c = 0; c < m_sizes.d_v; ++c) sum[c] += static_cast<double>(from[c]);
  }
}

std::vector<std::int32_t> ContextOutputs::codes_of(const Quantiser& quantiser, const float* rows, Index count) const {
  std::vector<std::int32_t> codes(static_cast<std::size_t>(count));
  Scratch scratch;
  quantiser.encode({rows, count, m_sizes.d_k, m_sizes.d_k}, nullptr, scratch, codes.data());
  return codes;
}

void ContextOutputs::pool(Index until) {
  const Index rate = m_sizes.compression_rate;
  for (Index group = static_cast<Index>(m_pooled_keys.size()) / m_sizes.d_k; group < until; ++group) {
    m_pooled_keys.resize(m_pooled_keys.size() + static_cast<std::size_t>(m_sizes.d_k));
    m_pooled_values.resize(m_pooled_values.size() + static_cast<std::size_t>(m_sizes.d_v));
    compress_rows(key(group * rate), rate, m_sizes.d_k, m_sizes.compression,
                  m_pooled_keys.data() + group * m_sizes.d_k);
    compress_rows(value(group * rate), rate, m_sizes.d_v, m_sizes.compression,
                  m_pooled_values.data() + group * m_sizes.d_v);
  }
}

ContextParts ContextOutputs::parts(ContextSystem system, Index tokens, const ContextRead& read) const {
  const float* newest = query(tokens - 1);
  if (system == ContextSystem::vq) return {by_codes(newest, tokens, read), {}};
  if (system == ContextSystem::compressive) return {compressed(newest, tokens, read), {}};
  ContextParts both{attend(newest, seen_directly(system, m_sizes, tokens), tokens - 1, read), {}};
  if (system == ContextSystem::memorizing) both.memory = retrieve(newest, read);
  if (system == ContextSystem::clustered) both.memory = routed(newest, read);
  if (infini_rule_of(system)) both.memory = recalled(system, tokens - 1, read);
  return both;
}

double ContextOutputs::bias_at(Index distance) const {
  return m_options.copied_distance > 0 && distance == m_options.copied_distance ? copying_bias : 0;
}

ContextOutputs::Sums ContextOutputs::attend(const float* query, const std::vector<Range>& keys, Index newest,
                                            const ContextRead& read) const {
  RunningSoftmax softmax(m_sizes.d_v);
  std::vector<float> scores(keys_at_once);
  for (const Range& range : keys)
    for (Index begin = range.begin; begin < range.end; begin += keys_at_once) {
      const Range some{begin, std::min(begin + keys_at_once, range.end)};
      best_kernels().row_products({query, 1, m_sizes.d_k, m_sizes.d_k},
                                  rows_of(matrix_of(m_tokens.keys, m_sizes.d_k), some), scores.data(), some.size());
      for (Index i = 0; i < some.size(); ++i)
        softmax.add(read.sharpness * static_cast<double>(scores[static_cast<std::size_t>(i)]) +
                        bias_at(newest - some.begin - i),
                    1, value(some.begin + i));
    }
  return softmax.output();
}

ContextOutputs::Sums ContextOutputs::compressed(const float* query, Index tokens, const ContextRead& read) const {
  const CompressiveView seen = compressive_view(m_sizes.compressive(), tokens - 1);
  RunningSoftmax softmax(m_sizes.d_v);
  for (Index group = seen.groups.begin; group < seen.groups.end; ++group)
    softmax.add(read.sharpness * score_product(query, m_pooled_keys.data() + group * m_sizes.d_k, m_sizes.d_k), 1,
                m_pooled_values.data() + group * m_sizes.d_v);
  for (Index token = seen.tokens.begin; token < seen.tokens.end; ++token)
    softmax.add(read.sharpness * score_product(query, key(token), m_sizes.d_k) + bias_at(tokens - 1 - token), 1,
                value(token));
  return softmax.output();
}

/// Empty if the memory holds nothing.
ContextOutputs::Sums ContextOutputs::retrieve(const float* query, const ContextRead& read) const {
  const Range memory{std::max<Index>(0, m_taken - m_sizes.memory_len), m_taken};
  if (memory.size() == 0) return {};
  const SearchOptions options{.top_k = std::min(m_sizes.top_k, memory.size())};
  const auto found =
      find_keys({query, 1, m_sizes.d_k, m_sizes.d_k}, rows_of(matrix_of(m_tokens.keys, m_sizes.d_k), memory), options);
  RunningSoftmax softmax(m_sizes.d_v);
  for (const RetrievedKey& each : *found)
    softmax.add(read.sharpness * static_cast<double>(each.score), 1, value(memory.begin + each.position));
  return softmax.output();
}

/// Empty if no earlier key is in the query's cluster.
ContextOutputs::Sums ContextOutputs::routed(const float* query, const ContextRead& read) const {
  const auto& cluster = m_clusters[static_cast<std::size_t>(codes_of(m_centroids, query, 1).front())];
  if (cluster.empty()) return {};
  RunningSoftmax softmax(m_sizes.d_v);
  for (const Index token : cluster)
    softmax.add(read.sharpness * score_product(query, key(token), m_sizes.d_k), 1, value(token));
  return softmax.output();
}

ContextOutputs::Sums ContextOutputs::recalled(ContextSystem system, Index token, const ContextRead& read) const {
  Sums out(static_cast<std::size_t>(m_sizes.d_v), 0);
  const auto scaled = scaled_rows(m_tokens.stored_queries().data() + token * m_sizes.d_k, m_sizes.d_k,
                                  m_options.stored_scales[read.stored]);
  m_memories.at(system)[read.stored].read(scaled.data(), out.data());
  return out;
}

/// Keys of earlier segments are counted by code, the key at the copied distance also on its own.
ContextOutputs::Sums ContextOutputs::by_codes(const float* query, Index tokens, const ContextRead& read) const {
  std::vector<double> scores;
  for (Index code = 0; code < m_sizes.n_code; ++code)
    scores.push_back(read.sharpness *
                     score_product(query, m_codebooks.codewords.data() + code * m_sizes.d_k, m_sizes.d_k));
  const auto score_of = [&](Index token) {
    return scores[static_cast<std::size_t>(m_codes[static_cast<std::size_t>(token - m_codes_from)])];
  };
  RunningSoftmax softmax(m_sizes.d_v);
  for (std::size_t code = 0; code < scores.size(); ++code)
    if (m_counts[code] > 0)
      softmax.add(scores[code], m_counts[code], m_sums.data() + code * static_cast<std::size_t>(m_sizes.d_v));
  for (Index token = m_taken; token < tokens; ++token) softmax.add(score_of(token), 1, value(token));
  const Index copied = tokens - 1 - m_options.copied_distance;
  if (m_options.copied_distance > 0 && m_options.copied_distance <= m_sizes.block_len && copied >= 0)
    softmax.add(score_of(copied) + std::log(std::expm1(copying_bias)), 1, value(copied));
  return softmax.output();
}

}  // namespace vqscope
