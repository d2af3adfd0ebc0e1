// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/retrieval.h"

namespace vqscope {

/// The memory of Infini-attention (Munkhdalai et al. 2024, section 2.1) for one sequence: per head
/// of keys a matrix M [head_dim, value_dim] and a vector z [head_dim]. With σ = ELU + 1 and queries
/// and keys before their rotation,
///   read     context = σ(q) M / (σ(q) · z + 1e-6)
///   write    M += σ(k)ᵀ v'    z += Σ σ(k)    v' = v, or v - read(σ(k)) by the delta rule
/// after each segment. Its queries read what earlier segments have written; the first segment reads
/// 0.
struct CompressiveShape {
  AttentionShape attention;
  bool delta = false;

  Index segments() const { return (attention.length + attention.segment - 1) / attention.segment; }
  Range segment(Index number) const {
    const Index begin = number * attention.segment;
    return {begin, std::min(attention.length, begin + attention.segment)};
  }
  Index matrix_size() const { return attention.head_dim * attention.value_size(); }
  /// Size of M and z together; z follows M.
  Index state_size() const { return matrix_size() + attention.head_dim; }
  /// Index of the state before a segment; the state after the last has the segment number
  /// segments().
  Index place(Index kv_head, Index segment) const { return (kv_head * (segments() + 1) + segment) * state_size(); }
  Index all_states() const { return attention.kv_heads * (segments() + 1) * state_size(); }
};

/// Writes all states [kv_heads, segments + 1, state_size()] and the context [length, heads ·
/// value_size()].
template <class Real>
void recall_compressed(const CompressiveShape& shape, const RetrievalOperands<Real>& in, Real* states, Real* context);

/// Adds to the gradients by q, k and v, which pass through the memory of all segments.
template <class Real>
struct CompressiveGradient {
  Real* q = nullptr;
  Real* k = nullptr;
  Real* v = nullptr;
};

template <class Real>
void recall_compressed_backward(const CompressiveShape& shape, const RetrievalOperands<Real>& in, const Real* states,
                                const Real* context, const Real* dcontext, const CompressiveGradient<Real>& d);

/// Reads the memory for the newest query [heads · head_dim], at `token`. The first query of a
/// segment first writes the previous segment into the states [kv_heads, state_size()].
template <class Real>
void recall_newest(const CompressiveShape& shape, const RetrievalOperands<Real>& in, Index token, const Real* query,
                   Real* states, Real* context);

}  // namespace vqscope
