// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/attention/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace vqscope::test {

/// Index of the codeword nearest to a key in double; ties to the lowest.
inline Index nearest_codeword(const float* key, const TensorView& codebook, Index head) {
  Index nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index s = 0; s < codebook.rows; ++s) {
    const double distance = squared_distance(key, codebook.row(head, s), codebook.cols);
    if (distance < least) nearest = s;
    least = std::min(least, distance);
  }
  return nearest;
}

/// Attention cell by cell in double: what every fast path is tested against. Input and options must
/// fit together.
class AttentionDefinition {
 public:
  /// `input` must outlive this.
  AttentionDefinition(const AttentionInput& input, const AttentionOptions& options);

  /// The nearest codeword, the lowest of equally near ones; -1: the key is not valid.
  Index shortcode(Index kv_head, Index key) const;

  bool visible(Index query, Index key) const;
  /// q·k + B, or q·k̂ + B in the VQ forms.
  double score(Index head, Index query, Index key) const;
  /// Weight of each key, beside that of a sink; all 0 if no key is visible.
  std::vector<double> weights(Index head, Index query) const;
  /// [d_v], the gate included.
  std::vector<double> output(Index head, Index query) const;
  /// [heads, T, d_v].
  std::vector<double> output() const;

 private:
  static double dot(const float* a, const float* b, Index n) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
  }

  /// Where a head's part of an array begins that has `size` numbers for each head, or for all heads
  /// alike.
  static std::size_t head_begin(std::size_t all, Index head, Index size) {
    return all == static_cast<std::size_t>(size) ? 0 : static_cast<std::size_t>(head * size);
  }

  Index kv_head(Index head) const { return head / (m_input.q.heads / m_input.k.heads); }
  const float* key(Index head, Index j) const;
  double bias(Index head, Index query, Index distance) const;

  const AttentionInput& m_input;
  AttentionOptions m_options;
  std::vector<Index> m_shortcodes;  ///< [kv heads, T] of the VQ forms
};

inline AttentionDefinition::AttentionDefinition(const AttentionInput& input, const AttentionOptions& options)
    : m_input(input), m_options(options) {
  if (options.form == AttentionForm::exact) return;
  for (Index head = 0; head < input.k.heads; ++head)
    for (Index j = 0; j < input.k.rows; ++j) m_shortcodes.push_back(shortcode(head, j));
}

inline Index AttentionDefinition::shortcode(Index kv_head, Index key) const {
  if (!m_input.key_valid.empty() && m_input.key_valid[static_cast<std::size_t>(key)] == 0) return -1;
  return nearest_codeword(m_input.k.row(kv_head, key), m_input.codebook, std::min(kv_head, m_input.codebook.heads - 1));
}

inline bool AttentionDefinition::visible(Index query, Index key) const {
  if (!m_input.key_valid.empty() && m_input.key_valid[static_cast<std::size_t>(key)] == 0) return false;
  if (m_input.mask && !m_input.mask->visible(query, key)) return false;
  if (!m_options.causal) return true;
  if (key > query) return false;
  if (m_options.form == AttentionForm::exact || m_options.agg_cache) return true;
  const Index block = query / m_options.block_len;
  return key >= (block - explicit_blocks(m_input, m_options)) * m_options.block_len;
}

inline const float* AttentionDefinition::key(Index head, Index j) const {
  if (m_options.form == AttentionForm::exact) return m_input.k.row(head, j);
  const Index code = m_shortcodes[static_cast<std::size_t>(head * m_input.k.rows + j)];
  return m_input.codebook.row(std::min(head, m_input.codebook.heads - 1), code);
}

inline double AttentionDefinition::bias(Index head, Index query, Index distance) const {
  const LocalBias& b = m_input.bias;
  const Index window = b.window;
  if (distance > window)
    return b.beyond.empty() ? 0.0 : static_cast<double>(b.beyond[head_begin(b.beyond.size(), head, 1)]);
  double sum = 0;
  if (!b.values.empty())
    sum = static_cast<double>(
        b.values[head_begin(b.values.size(), head, window + 1) + static_cast<std::size_t>(distance)]);
  if (b.relative.empty()) return sum;
  const Index width = m_input.q.cols;
  const float* r = b.relative.data() + head_begin(b.relative.size(), head, (window + 1) * width) +
                   static_cast<std::size_t>(distance * width);
  sum += dot(m_input.q.row(head, query), r, width);
  if (!b.offset.empty()) sum += dot(b.offset.data() + head_begin(b.offset.size(), head, width), r, width);
  return sum;
}

inline double AttentionDefinition::score(Index head, Index query, Index key_index) const {
  const double product = dot(m_input.q.row(head, query), key(kv_head(head), key_index), m_input.q.cols);
  return m_options.causal ? product + bias(head, query, query - key_index) : product;
}

inline std::vector<double> AttentionDefinition::weights(Index head, Index query) const {
  constexpr double hidden = -std::numeric_limits<double>::infinity();
  std::vector<double> row;
  for (Index j = 0; j < m_input.k.rows; ++j) row.push_back(visible(query, j) ? score(head, query, j) : hidden);
  if (*std::ranges::max_element(row) == hidden) return std::vector<double>(row.size());
  const auto& sinks = m_input.bias.sinks;
  const double sink = sinks.empty() ? hidden : static_cast<double>(sinks[head_begin(sinks.size(), head, 1)]);
  const double max = std::max(sink, *std::ranges::max_element(row));
  double sum = std::exp(sink - max);
  for (double& value : row) sum += value = std::exp(value - max);
  for (double& value : row) value /= sum;
  return row;
}

inline std::vector<double> AttentionDefinition::output(Index head, Index query) const {
  const std::vector<double> row = weights(head, query);
  std::vector<double> sums(static_cast<std::size_t>(m_input.v.cols));
  for (Index j = 0; j < m_input.k.rows; ++j) {
    const double weight = row[static_cast<std::size_t>(j)];
    if (weight == 0) continue;  // what is hidden may be NaN
    const float* value = m_input.v.row(kv_head(head), j);
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += weight * static_cast<double>(value[c]);
  }
  if (m_input.gate.empty()) return sums;
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] *= static_cast<double>(m_input.gate.row(head, query)[c]);
  return sums;
}

inline std::vector<double> AttentionDefinition::output() const {
  std::vector<double> all;
  for (Index head = 0; head < m_input.q.heads; ++head)
    for (Index i = 0; i < m_input.q.rows; ++i)
      for (const double value : output(head, i)) all.push_back(value);
  return all;
}

}  // namespace vqscope::test
