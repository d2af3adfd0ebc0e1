// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention.h"
#include "core/model/kernels/products.h"

#include <algorithm>

namespace vqscope {

/// Some queries of one head and the keys that one of them sees.
struct AttentionBlock {
  Index head = 0;
  Range queries;
  Range keys;

  template <class Real>
  Rows<Real> query_rows(const AttentionShape& shape, const Real* q) const {
    const Index width = shape.query_width();
    return {q + queries.begin * width + head * shape.head_dim, queries.size(), shape.head_dim, width};
  }
  template <class Real>
  Rows<Real> key_rows(const AttentionShape& shape, const Real* k, Range some) const {
    return {k + key_place(shape, some.begin), some.size(), shape.head_dim, shape.key_width()};
  }
  Index key_place(const AttentionShape& shape, Index key) const {
    return key * shape.key_width() + shape.kv_head(head) * shape.head_dim;
  }
};

/// Calls body(block) for each block of each head. A block whose queries see nothing has no keys.
template <class Body>
void for_each_block(const AttentionShape& shape, const KeyRanges& ranges, Index row, const Body& body) {
  for (Index head = 0; head < shape.heads; ++head)
    for (Index begin = 0; begin < shape.length; begin += shape.block) {
      const Range queries{begin, std::min(shape.length, begin + shape.block)};
      body(AttentionBlock{head, queries, ranges.span_of(row, queries)});
    }
}

}  // namespace vqscope
