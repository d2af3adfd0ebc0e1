// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention_block.h"

#include <algorithm>

namespace vqscope {

template <class Real>
struct AttentionOperands {
  const Real* q = nullptr;
  const Real* k = nullptr;
  const Real* v = nullptr;
  const Real* bias = nullptr;                    ///< [heads, distances]; null: 0
  const std::int32_t* bias_positions = nullptr;  ///< [queries]: the bias depends on position too
  const Real* far_q = nullptr;                   ///< queries and keys of scores from far_from on
  const Real* far_k = nullptr;
  const Real* distance_q = nullptr;  ///< [length, heads · head_dim]; null: scores have no product with distances
  const Real* distance_k = nullptr;  ///< [distances, heads · head_dim]

  /// Offset of one query's bias by distance.
  Index bias_place(const AttentionShape& shape, Index head, Index query) const {
    if (!bias_positions) return head * shape.table_distances();
    return (head * shape.queries() + bias_positions[query - shape.first]) * shape.table_distances();
  }
};

/// Destination of the weights: [heads, queries, columns] when they are kept, else [block, columns],
/// reused for each block. A query's weights begin with the first key of its block's span; elements
/// after the span are not written.
template <class Real>
struct AttentionWeights {
  Real* data = nullptr;
  bool kept = false;
  /// [heads, queries]: each query's weight on the keys of the blocks before the previous block, which are those of the
  /// cache of VQ attention; null: not needed.
  Real* on_cache = nullptr;

  static Index place(const AttentionShape& shape, const AttentionBlock& block) {
    return block.head * shape.queries() + block.queries.begin - shape.first;
  }
  Real* of(const AttentionShape& shape, const AttentionBlock& block) const {
    return data + (kept ? place(shape, block) * shape.columns : 0);
  }
};

/// Softmax attention of one sequence. Arrays of queries are [length, heads · head_dim], of keys [length, kv_heads ·
/// head_dim], of values [length, kv_heads · value_size()], and the context is [length, heads · value_size()]; query
/// head h uses kv head h / (heads / kv_heads).
///
///   s_ij = scale · (q_i · k_j + distance_q_i · distance_k_(i-j)) + bias[h, i - j]      p = softmax over the visible j
///   context_i = Σ p_ij v_j
///
/// A query without a visible key has p = 0. Queries are processed in blocks. A block takes the keys
/// from the first to the last that one of its queries sees, so that the cost of a window follows
/// its size.
///
/// From far_from on, q_i and k_j are far_q_i and far_k_j. Distances that the tables do not hold count as their last.
///
/// `row` is a row of `ranges`. far_from and distance_q exclude each other; with either, `scratch`
/// is [block, columns].
template <class Real>
void attention(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges, Index row,
               const AttentionWeights<Real>& weights, Real* context, Real* scratch);

/// The first block of keys, and of values, that the gradient of queries in block n reaches.
struct AttentionReach {
  Index keys = -1;   ///< blocks before a query's own whose keys its gradient reaches; -1: all
  Index window = 0;  ///< truncated: blocks of a window that no gradient leaves; 0: no window
  Index first = 0;   ///< no gradient reaches an earlier block
  Index before = 0;  ///< blocks of the sequence before block 0, which windows count

  Index first_block_of_values(Index n) const { return window > 0 ? std::max(first, n - (n + before) % window) : first; }
  Index first_block_of_keys(Index n) const { return std::max(keys < 0 ? 0 : n - keys, first_block_of_values(n)); }
  bool begins_at(Index n) const { return window > 0 && (n + before) % window == 0; }
};

template <class Real>
struct AttentionGradient {
  Real* q = nullptr;
  Real* k = nullptr;
  Real* v = nullptr;
  Real* bias = nullptr;  ///< null where there is no learnt bias
  Real* distance_q = nullptr;
  Real* distance_k = nullptr;
  Real* far_q = nullptr;
  Real* far_k = nullptr;
  Real* parted = nullptr;  ///< [block, columns]: scratch, with far_q or distance_q
  /// Gradients of keys and values before the query's segment; null: `k` and `v` hold all of them.
  Real* earlier_k = nullptr;
  Real* earlier_v = nullptr;
};

/// Rearranges the gradients of a block's scores `ds` from keys to distances and adds them to the gradients of
/// both factors of the product.
template <class Real>
void distances_backward(const AttentionShape& shape, const AttentionBlock& block, const Real* distance_q,
                        const Real* distance_k, const Real* ds, const AttentionGradient<Real>& d);

/// Moves the gradients of a block's far scores from `ds` to `far`; zeros take their places.
template <class Real>
void part_far_scores(const AttentionShape& shape, const AttentionBlock& block, Real* ds, Real* far);

/// Requires kept weights. Where `d` has no far queries and keys, far scores have no gradient of
/// theirs. `scratch` is [block, columns].
template <class Real>
void attention_backward(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges,
                        Index row, const Real* weights, const Real* dcontext, const AttentionReach& reach,
                        Real* scratch, const AttentionGradient<Real>& d);

}  // namespace vqscope
