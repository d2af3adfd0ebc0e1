// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention_block.h"

#include <cstdint>

namespace vqscope {

/// Keys that the queries of one sequence retrieve from earlier segments (Memorizing Transformers,
/// Wu et al. 2022, section 3): of the keys that the memory holds, the top_k with the largest
/// product with the query. Queries and keys are not rotated.
struct RetrievalShape {
  AttentionShape attention;
  Index memory = 0;  ///< number of latest keys before the segment that it holds; 0: all
  Index top_k = 1;

  /// The keys that the queries of a segment choose from.
  Range stored(Index query) const {
    const Index end = attention.segment_begin(query);
    return {memory > 0 ? std::max<Index>(0, end - memory) : 0, end};
  }
  /// Number of keys that a query retrieves.
  Index retrieved(Index query) const { return std::min(top_k, stored(query).size()); }
  Index place(Index head, Index query) const { return (head * attention.length + query) * top_k; }
};

/// Queries and keys before their rotation, and values, as attention() takes them.
template <class Real>
struct RetrievalOperands {
  const Real* q = nullptr;
  const Real* k = nullptr;
  const Real* v = nullptr;
};

/// For each head and query, [heads, length, top_k]: the keys, largest score first and the earlier
/// of equal ones first, and the softmax over their scores. Elements after retrieved() are not
/// written.
template <class Real>
struct Retrieved {
  std::int32_t* keys = nullptr;
  Real* weights = nullptr;
};

/// context_i = Σ p_ij v_j over the keys that query i retrieves, [length, heads · value_size()]; 0
/// where nothing is stored. `scratch` is [block, length].
template <class Real>
void retrieve(const RetrievalShape& shape, const RetrievalOperands<Real>& in, const Retrieved<Real>& out, Real* context,
              Real* scratch);

/// The same for one block of queries, whose keys are the stored ones. `queries` are the block's
/// rows; `out` begins at its first query, `context` at its first row of the head. `scratch` is
/// [queries, keys].
template <class Real>
void retrieve_block(const RetrievalShape& shape, const RetrievalOperands<Real>& in, const AttentionBlock& block,
                    const Rows<Real>& queries, const Retrieved<Real>& out, const ProductRows<Real>& context,
                    Real* scratch);

/// Adds what the newest query [heads · head_dim], at `token`, retrieves from the keys and values
/// before its segment to its context.
template <class Real>
void retrieve_newest(const RetrievalShape& shape, const RetrievalOperands<Real>& in, Index token, const Real* query,
                     Real* context);

/// Adds to dq only: stored keys and values, and the choice among them, are constants.
template <class Real>
void retrieve_backward(const RetrievalShape& shape, const RetrievalOperands<Real>& in, const Retrieved<Real>& kept,
                       const Real* dcontext, Real* dq);

}  // namespace vqscope
