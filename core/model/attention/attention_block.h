// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/vq_keys.h"
#include "core/model/kernels/products.h"

#include <algorithm>

namespace vqscope {

/// Sizes of attention(): query head h uses kv head h / (heads / kv_heads). Queries are those of the keys from `first`
/// on, which is also where arrays by query begin.
struct AttentionShape {
  Index length = 0;  ///< of the keys
  Index heads = 1;
  Index kv_heads = 1;
  Index head_dim = 1;
  double scale = 1;
  Index block = 64;     ///< queries at a time
  Index segment = 0;    ///< tokens per segment; a block's queries share a segment; 0: no segments
  Index columns = 0;    ///< stride between queries' weights: a block's widest span of keys
  Index far_from = 0;   ///< distances from here on use the far queries and keys; 0: none
  Index value_dim = 0;  ///< width of one head of the values and of the context; 0: head_dim
  Index distances = 0;  ///< distances that tables hold; larger ones count as the last; 0: length
  Index first = 0;      ///< keys of earlier tokens, which have no queries; the first query begins a block

  Index queries() const { return length - first; }
  Index query_width() const { return heads * head_dim; }
  Index key_width() const { return kv_heads * head_dim; }
  Index value_size() const { return value_dim > 0 ? value_dim : head_dim; }
  Index value_width() const { return kv_heads * value_size(); }
  Index context_width() const { return heads * value_size(); }
  Index table_distances() const { return distances > 0 ? distances : length; }
  /// The place of a distance in tables.
  Index counted(Index distance) const { return std::min(distance, table_distances() - 1); }
  Index kv_head(Index head) const { return head / (heads / kv_heads); }

  Index segment_begin(Index query) const { return segment > 0 ? query - query % segment : 0; }
  /// The queries that are processed together with this one.
  Range block_of(Index query) const {
    const Index start = segment_begin(query);
    const Index begin = start + (query - start) / block * block;
    const Index end = std::min(length, begin + block);
    return {begin, segment > 0 ? std::min(end, start + segment) : end};
  }
};

/// Some queries of one head and the span of keys that they see.
struct AttentionBlock {
  Index head = 0;
  Range queries;
  Range keys;

  template <class Real>
  Rows<Real> query_rows(const AttentionShape& shape, const Real* q) const {
    const Index width = shape.query_width();
    return {q + query_place(shape), queries.size(), shape.head_dim, width};
  }
  Index query_place(const AttentionShape& shape) const {
    return (queries.begin - shape.first) * shape.query_width() + head * shape.head_dim;
  }
  template <class Real>
  Rows<Real> key_rows(const AttentionShape& shape, const Real* k, Range some) const {
    return {k + key_place(shape, some.begin), some.size(), shape.head_dim, shape.key_width()};
  }
  /// The distances from the block's queries to its keys, from 0 on, that tables hold; `k` is indexed
  /// by distance.
  template <class Real>
  Rows<Real> distance_rows(const AttentionShape& shape, const Real* k) const {
    return {k + head * shape.head_dim, std::min(queries.end - keys.begin, shape.table_distances()), shape.head_dim,
            shape.query_width()};
  }
  Index key_place(const AttentionShape& shape, Index key) const {
    return key * shape.key_width() + shape.kv_head(head) * shape.head_dim;
  }
  template <class Real>
  Rows<Real> context_rows(const AttentionShape& shape, const Real* context) const {
    return {context + context_place(shape), queries.size(), shape.value_size(), shape.context_width()};
  }
  template <class Real>
  Rows<Real> value_rows(const AttentionShape& shape, const Real* v, Range some) const {
    return {v + value_place(shape, some.begin), some.size(), shape.value_size(), shape.value_width()};
  }
  Index context_place(const AttentionShape& shape) const {
    return (queries.begin - shape.first) * shape.context_width() + head * shape.value_size();
  }
  Index value_place(const AttentionShape& shape, Index key) const {
    return key * shape.value_width() + shape.kv_head(head) * shape.value_size();
  }
};

/// score = factor · score + table[distance] for a range of keys up to the query; `scores` begins with
/// the range.
template <class Real>
void add_by_distance(const AttentionShape& shape, Range keys, Index query, Real factor, const Real* table,
                     Real* scores) {
  const Index most = shape.table_distances() - 1;
  const Index near = std::clamp(query - most, keys.begin, keys.end);  // keys before have the last entry
  for (Index i = 0; i < near - keys.begin; ++i) scores[i] = factor * scores[i] + table[most];
  if (near < keys.end)
    best_layer_kernels<Real>().scale_and_add(scores + (near - keys.begin), keys.end - near, factor,
                                             table + (query + 1 - keys.end));
}

/// Calls body(block) for each block of each head. A block whose queries see nothing has no keys.
template <class Body>
void for_each_block(const AttentionShape& shape, const KeyRanges& ranges, Index row, const Body& body) {
  for (Index head = 0; head < shape.heads; ++head)
    for (Range queries{shape.first, shape.first}; queries.end < shape.length;) {
      queries = shape.block_of(queries.end);
      body(
          AttentionBlock{head, queries, ranges.span_of(row, {queries.begin - shape.first, queries.end - shape.first})});
    }
}

}  // namespace vqscope
