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
  const Real* bias = nullptr;                    ///< [heads, length] by distance; null: 0
  const std::int32_t* bias_positions = nullptr;  ///< [length]: the bias is by the query's position and distance
  const Real* far_q = nullptr;
  const Real* far_k = nullptr;
  const Real* distance_q = nullptr;  ///< [length, heads · head_dim]; null: scores have no product with distances
  const Real* distance_k = nullptr;  ///< [length, heads · head_dim], by distance

  /// Where the bias by distance of one query begins.
  Index bias_place(const AttentionShape& shape, Index head, Index query) const {
    return (bias_positions ? head * shape.length + bias_positions[query] : head) * shape.length;
  }
};

/// Where weights go: [heads, length, columns] when they are kept, else [block, columns], used again and again. A
/// query's begin with the first key of its block's span; what lies behind the span is not written.
template <class Real>
struct AttentionWeights {
  Real* data = nullptr;
  bool kept = false;

  Real* of(const AttentionShape& shape, const AttentionBlock& block) const {
    return data + (kept ? (block.head * shape.length + block.queries.begin) * shape.columns : 0);
  }
};

/// Softmax attention of one sequence. Arrays of queries are [length, heads · head_dim], of keys [length, kv_heads ·
/// head_dim], of values [length, kv_heads · value_size()], and the context is [length, heads · value_size()]; query
/// head h uses kv head h / (heads / kv_heads).
///
///   s_ij = scale · (q_i · k_j + distance_q_i · distance_k_(i-j)) + bias[h, i - j]      p = softmax over the visible j
///   context_i = Σ p_ij v_j
///
/// A query without a visible key has p = 0. Queries are taken in blocks, and of a block's keys those between the first
/// and the last that one of its queries sees: windows cost what they see.
///
/// `row` is that of `ranges`. `scratch` [block, columns] where far_from or distance_q is given, not both.
template <class Real>
void attention(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges, Index row,
               const AttentionWeights<Real>& weights, Real* context, Real* scratch);

/// From which block of keys on a gradient reaches the keys and values of queries in block n.
struct AttentionReach {
  Index keys = -1;   ///< blocks back from a query's own that its gradient reaches the keys of; -1: all
  Index window = 0;  ///< blocks of a window that no gradient leaves: truncated backpropagation; 0: no such window

  Index first_block_of_values(Index n) const { return window > 0 ? n - n % window : 0; }
  Index first_block_of_keys(Index n) const { return std::max(keys < 0 ? 0 : n - keys, first_block_of_values(n)); }
  bool begins_at(Index n) const { return window > 0 && n % window == 0; }
};

template <class Real>
struct AttentionGradient {
  Real* q = nullptr;
  Real* k = nullptr;
  Real* v = nullptr;
  Real* bias = nullptr;  ///< null where there is no bias, or it is not learnt
  Real* distance_q = nullptr;
  Real* distance_k = nullptr;
  Real* by_distance = nullptr;  ///< [block, columns]: scratch of the two
  /// Those of keys and values before the query's segment; null: `k` and `v` have all.
  Real* earlier_k = nullptr;
  Real* earlier_v = nullptr;
};

/// Of kept weights; far queries and keys have no gradient. `scratch` [block, columns].
template <class Real>
void attention_backward(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges,
                        Index row, const Real* weights, const Real* dcontext, const AttentionReach& reach,
                        Real* scratch, const AttentionGradient<Real>& d);

}  // namespace vqscope
