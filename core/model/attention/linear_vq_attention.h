// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention.h"
#include "core/model/attention/attention_block.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace vqscope {

/// Sizes of attention that takes old keys grouped by code. A block has keys.block keys.
struct LinearVqShape {
  AttentionShape keys;  ///< scale 1; `columns` is columns() below
  Index n_code = 1;

  /// The first block with queries.
  Index first_block() const { return keys.first / keys.block; }
  Index blocks() const { return (keys.length - 1) / keys.block + 1; }
  Index near_keys() const { return 2 * keys.block; }
  /// Number of weights of one query: keys of two blocks, then codes.
  Index columns() const { return near_keys() + n_code; }
};

/// Sums over some keys of one key head, by code.
struct CodeTotals {
  std::vector<Index> counts;  ///< [n_code]
  std::vector<double> sums;   ///< [n_code, value_size]: of the values
};

/// Operands of one sequence. Queries are [length, heads · head_dim], keys [length, kv_heads · head_dim], values
/// [length, kv_heads · value_size].
template <class Real>
struct LinearVqOperands {
  const Real* q = nullptr;
  const Real* quantised = nullptr;  ///< each key's codeword
  const Real* near_k = nullptr;     ///< the codewords as scores below keys.far_from take them; null: unchanged
  const Real* far_q = nullptr;      ///< queries of scores from keys.far_from on; null: q
  const Real* v = nullptr;
  const Real* codebook = nullptr;                ///< [kv_heads, n_code, head_dim]
  const std::int32_t* codes = nullptr;           ///< [kv_heads, length]
  const Real* bias = nullptr;                    ///< [heads, distances]; null: 0
  const std::int32_t* bias_positions = nullptr;  ///< [queries]: the bias depends on position too
  const Real* distance_q = nullptr;              ///< as in AttentionOperands
  const Real* distance_k = nullptr;
  const CodeTotals* earlier = nullptr;  ///< [kv_heads]: of the keys before block 0; null: there are none

  const Real* near_keys() const { return near_k ? near_k : quantised; }
  const Real* code_queries() const { return far_q ? far_q : q; }
  /// Offset of one query's bias by distance.
  Index bias_place(const AttentionShape& shape, Index head, Index query) const {
    if (!bias_positions) return head * shape.table_distances();
    return (head * shape.queries() + bias_positions[query - shape.first]) * shape.table_distances();
  }
};

/// Attention to quantised keys in time and memory linear in the length (Transformer-VQ, Lingle
/// 2023, section 3.3). A query of block n takes the keys of blocks n - 1 and n one by one, and all
/// earlier keys grouped by code:
///
///   score of code s = far_q_i · C_s + bias + ln count_s        its value = the mean of the values of the keys that
///   have code s
///
/// count_s counts the keys of blocks 0 to n - 2 whose code is s; codes without keys are left out; `bias` is that of
/// distance block + 1. The result equals attention() over every key up to the query if all distances above a block have
/// this bias, far_q as their queries and no product with distances.
///
/// Writes [queries, heads · value_size] to `context`. `scratch` is [block, columns]. A query's weights are first those
/// of its near keys, then, from near_keys() on, those of the codes. A sequence can be attended to in segments of whole
/// blocks: each has the last block of the segment before as its block 0, without queries, and `after` of that segment
/// as `earlier`. Block 0 of the first segment has queries. `after` [kv_heads], if not null, becomes the totals of all
/// keys before the last block.
template <class Real>
void linear_vq_attention(const LinearVqShape& shape, const LinearVqOperands<Real>& in,
                         const AttentionWeights<Real>& weights, Real* context, Real* scratch,
                         CodeTotals* after = nullptr);

/// Requires kept weights. Gradients by codewords pass straight through to the keys: those of near_k to d.k, where there
/// is one, all others to d.far_k. Codewords have no gradient of their own. `scratch` is [block, columns].
template <class Real>
void linear_vq_backward(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const Real* weights,
                        const Real* dcontext, const AttentionReach& reach, Real* scratch,
                        const AttentionGradient<Real>& d);

/// The cache of one key head: for each code, the number of keys of whole blocks that have it and the
/// sum of their values. Blocks are added in order and removed in reverse order. Sums are doubles,
/// so that removing a block restores the previous sums.
template <class Real>
class CodeSums {
 public:
  CodeSums(const LinearVqShape& shape, const LinearVqOperands<Real>& in, Index kv_head)
      : m_shape(shape),
        m_in(in),
        m_head(kv_head),
        m_counts(static_cast<std::size_t>(shape.n_code)),
        m_sums(static_cast<std::size_t>(shape.n_code * shape.keys.value_size())),
        m_means(m_sums.size()),
        m_log_counts(m_counts.size(), no_keys) {
    if (in.earlier) take(in.earlier[kv_head]);
  }

  void add(Index block) { change(block, 1); }
  void remove(Index block) { change(block, -1); }

  CodeTotals totals() const { return {m_counts, m_sums}; }
  Index count(Index code) const { return m_counts[static_cast<std::size_t>(code)]; }
  /// [n_code]: logarithms of the counts, -infinity for a code without keys.
  const Real* log_counts() const { return m_log_counts.data(); }
  /// [n_code, value_size]; 0 for a code without keys.
  Rows<Real> means() const {
    return {m_means.data(), m_shape.n_code, m_shape.keys.value_size(), m_shape.keys.value_size()};
  }

 private:
  static constexpr Real no_keys = -std::numeric_limits<Real>::infinity();

  void take(const CodeTotals& totals);
  void change(Index block, Index by);
  void update_mean(Index code);

  const LinearVqShape& m_shape;
  const LinearVqOperands<Real>& m_in;
  Index m_head;
  std::vector<Index> m_counts;
  std::vector<double> m_sums;  ///< [n_code, value_size]
  std::vector<Real> m_means;
  std::vector<Real> m_log_counts;
};

/// The keys of a block.
inline Range keys_of_block(const AttentionShape& shape, Index block) {
  return {block * shape.block, std::min(shape.length, (block + 1) * shape.block)};
}

/// The place of the distance of all codes in tables.
inline Index code_distance(const AttentionShape& shape) { return shape.counted(shape.block + 1); }

/// A block of queries of a head, with the keys that it takes one by one: those of this block and of
/// the block before.
inline AttentionBlock near_block(const AttentionShape& shape, Index head, Index block) {
  const Range queries = keys_of_block(shape, block);
  return {head, queries, {keys_of_block(shape, std::max<Index>(block - 1, 0)).begin, queries.end}};
}

template <class Real>
Rows<Real> codewords_of(const LinearVqShape& shape, const LinearVqOperands<Real>& in, Index head) {
  const Index width = shape.keys.head_dim;
  return {in.codebook + shape.keys.kv_head(head) * shape.n_code * width, shape.n_code, width, width};
}

}  // namespace vqscope
