// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/linear_vq_shape.h"

#include <vector>

namespace vqscope {

/// The cache of one head: for each code, the number of keys of whole blocks that have it and the
/// sum of their values. Blocks are added in order and removed in reverse order. Sums are doubles,
/// so that removing a block restores the previous sums.
template <class Real>
class CodeSums {
 public:
  CodeSums(const LinearVqShape& shape, const LinearVqOperands<Real>& in, Index head)
      : m_shape(shape),
        m_in(in),
        m_head(head),
        m_counts(static_cast<std::size_t>(shape.n_code)),
        m_sums(static_cast<std::size_t>(shape.n_code * shape.keys.value_size())),
        m_means(m_sums.size()) {}

  void add(Index block) { change(block, 1); }
  void remove(Index block) { change(block, -1); }

  Index count(Index code) const { return m_counts[static_cast<std::size_t>(code)]; }
  /// [n_code, value_size]; 0 for a code without keys.
  Rows<Real> means() const {
    return {m_means.data(), m_shape.n_code, m_shape.keys.value_size(), m_shape.keys.value_size()};
  }

 private:
  void change(Index block, Index by);

  const LinearVqShape& m_shape;
  const LinearVqOperands<Real>& m_in;
  Index m_head;
  std::vector<Index> m_counts;
  std::vector<double> m_sums;  ///< [n_code, value_size]
  std::vector<Real> m_means;
};

/// The keys of a block.
inline Range keys_of_block(const AttentionShape& shape, Index block) {
  return {block * shape.block, std::min(shape.length, (block + 1) * shape.block)};
}

/// A block of queries of a head, with the keys that it takes one by one: those of this block and of
/// the block before.
inline AttentionBlock near_block(const AttentionShape& shape, Index head, Index block) {
  const Range queries = keys_of_block(shape, block);
  return {head, queries, {keys_of_block(shape, std::max<Index>(block - 1, 0)).begin, queries.end}};
}

template <class Real>
Rows<Real> codewords_of(const LinearVqShape& shape, const LinearVqOperands<Real>& in, Index head) {
  const Index width = shape.keys.head_dim;
  return {in.codebook + head * shape.n_code * width, shape.n_code, width, width};
}

}  // namespace vqscope
