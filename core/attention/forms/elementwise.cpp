// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/elementwise.h"

#include "core/attention/forms/definition.h"

#include <algorithm>

namespace vqscope {
namespace {

/// sums += weight · values
void add(double* sums, double weight, const float* values, Index n) {
  for (Index c = 0; c < n; ++c) sums[c] += weight * static_cast<double>(values[c]);
}

/// U of theorem 3.6: the sum of the values of each code.
class GroupedSums {
 public:
  GroupedSums(const AttentionInput& input, const AttentionDefinition& definition)
      : m_input(input), m_definition(definition), m_sums(static_cast<std::size_t>(input.codebook.rows * width())) {}

  void take(Range keys) {
    for (Index j = std::max<Index>(keys.begin, 0); j < keys.end; ++j)
      if (const Index code = m_definition.shortcode(0, j); code >= 0)
        add(m_sums.data() + code * width(), 1, m_input.v.row(0, j), width());
  }

  /// out += phi(q Cᵀ) U
  void weigh(Index query, const Nonlinearity& phi, double* out) const {
    const TensorView& codebook = m_input.codebook;
    for (Index s = 0; s < codebook.rows; ++s) {
      double score = 0;
      for (Index c = 0; c < codebook.cols; ++c)
        score += static_cast<double>(m_input.q.row(0, query)[c]) * static_cast<double>(codebook.row(0, s)[c]);
      const double weight = phi(score);
      for (Index c = 0; c < width(); ++c) out[c] += weight * m_sums[static_cast<std::size_t>(s * width() + c)];
    }
  }

 private:
  Index width() const { return m_input.v.cols; }

  const AttentionInput& m_input;
  const AttentionDefinition& m_definition;
  std::vector<double> m_sums;
};

/// out += phi(q·k̂ + B) v of the visible keys among some.
void weigh_keys(const AttentionInput& input, const AttentionDefinition& definition, const Nonlinearity& phi,
                Index query, Range keys, double* out) {
  for (Index j = std::max<Index>(keys.begin, 0); j < keys.end; ++j)
    if (definition.visible(query, j)) add(out, phi(definition.score(0, query, j)), input.v.row(0, j), input.v.cols);
}

}  // namespace

std::vector<double> elementwise_quadratic(const AttentionInput& input, const AttentionOptions& options,
                                          const Nonlinearity& phi) {
  const AttentionDefinition definition(input, options);
  const Index width = input.v.cols;
  std::vector<double> out(static_cast<std::size_t>(input.q.rows * width));
  for (Index i = 0; i < input.q.rows; ++i)
    weigh_keys(input, definition, phi, i, {0, input.k.rows}, out.data() + i * width);
  return out;
}

std::vector<double> elementwise_linear(const AttentionInput& input, const AttentionOptions& options,
                                       const Nonlinearity& phi) {
  const AttentionDefinition definition(input, options);
  const Index width = input.v.cols;
  const Index length = input.q.rows;
  const Index block_len = options.causal ? options.block_len : length;
  std::vector<double> out(static_cast<std::size_t>(length * width));
  GroupedSums sums(input, definition);
  if (!options.causal) sums.take({0, length});
  for (Index begin = 0; begin < length; begin += block_len) {
    if (options.causal) sums.take({begin - 2 * block_len, begin - block_len});
    for (Index i = begin; i < std::min(begin + block_len, length); ++i) {
      sums.weigh(i, phi, out.data() + i * width);
      if (options.causal) weigh_keys(input, definition, phi, i, {begin - block_len, i + 1}, out.data() + i * width);
    }
  }
  return out;
}

}  // namespace vqscope
