// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention.h"
#include "core/model/attention/attention_block.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// Sizes of attention that takes old keys grouped by code. A block has keys.block keys.
struct LinearVqShape {
  AttentionShape keys;  ///< n_kv_heads = n_heads, scale 1; `columns` is columns() below
  Index n_code = 1;

  Index blocks() const { return (keys.length - 1) / keys.block + 1; }
  Index near_keys() const { return 2 * keys.block; }
  /// Number of weights of one query: keys of two blocks, then codes.
  Index columns() const { return near_keys() + n_code; }
};

/// Operands of one sequence. Queries and keys are [length, heads · head_dim], values
/// [length, heads · value_size].
template <class Real>
struct LinearVqOperands {
  const Real* q = nullptr;
  const Real* quantised = nullptr;  ///< each key's codeword
  const Real* v = nullptr;
  const Real* codebook = nullptr;       ///< [heads, n_code, head_dim]
  const std::int32_t* codes = nullptr;  ///< [heads, length]
  const Real* bias = nullptr;           ///< [heads, length] by distance; null: 0
};

/// Attention to quantised keys in time and memory linear in the length (Transformer-VQ, Lingle
/// 2023, section 3.3). A query of block n takes the keys of blocks n - 1 and n one by one, and all
/// earlier keys grouped by code:
///
///   score of code s = q_i · C_s + ln count_s        its value = the mean of the values of the keys that have code s
///
/// count_s counts the keys of blocks 0 to n - 2 whose code is s; codes without keys are left out.
/// The result equals attention() over every key up to the query with bias 0 at distances above a
/// block.
///
/// Writes [length, heads · value_size] to `context`. A query's weights are first those of its near
/// keys, then, from near_keys() on, those of the codes.
template <class Real>
void linear_vq_attention(const LinearVqShape& shape, const LinearVqOperands<Real>& in,
                         const AttentionWeights<Real>& weights, Real* context);

/// Requires kept weights. Gradients by codewords pass straight through to the keys; codewords have
/// no gradient of their own. `scratch` is [block, columns].
template <class Real>
void linear_vq_backward(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const Real* weights,
                        const Real* dcontext, const AttentionReach& reach, Real* scratch,
                        const AttentionGradient<Real>& d);

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
