// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/attention.h"

namespace vqscope {
namespace {

/// The block's keys from `first_block` on.
Range reached(const AttentionShape& shape, const AttentionBlock& block, Index first_block) {
  return {std::clamp(first_block * shape.block, block.keys.begin, block.keys.end), block.keys.end};
}

/// dp becomes ds = p (dp - Σ p dp), for one query.
template <class Real>
void softmax_backward(const Real* p, Index count, Real* dp) {
  Real mean = 0;
  for (Index j = 0; j < count; ++j) mean += p[j] * dp[j];
  for (Index j = 0; j < count; ++j) dp[j] = p[j] * (dp[j] - mean);
}

/// Adds the gradients of scores to those of the bias by distance. A later key counts as distance 0;
/// a key that the query does not see has no gradient.
template <class Real>
void add_to_bias(const Real* ds, Index query, Range keys, Real* dbias) {
  const Index end = std::min(keys.end, query + 1);
  for (Index j = keys.begin; j < end; ++j) dbias[query - j] += ds[j - keys.begin];
  for (Index j = std::max(keys.begin, end); j < keys.end; ++j) dbias[0] += ds[j - keys.begin];
}

/// dk or dv of some keys: (weights or gradients of scores)ᵀ · rows of the queries.
template <class Real>
void add_to_keys(const AttentionShape& shape, const AttentionBlock& block, Range some, const Real* by_key,
                 const Rows<Real>& by_query, const ProductRows<Real>& d) {
  best_products<Real>().of_columns(
      {by_key + (some.begin - block.keys.begin), block.queries.size(), some.size(), shape.columns}, by_query, d, true);
}

/// Rearranges the gradients of scores `ds` from keys to distances and adds them to the gradients of
/// both factors of the product.
template <class Real>
void distances_backward(const AttentionShape& shape, const AttentionBlock& block, const AttentionOperands<Real>& in,
                        const Real* ds, const AttentionGradient<Real>& d) {
  const auto& products = best_products<Real>();
  const Rows<Real> keys = block.distance_rows(shape, in.distance_k);
  for (Index i = 0; i < block.queries.size(); ++i) {
    Real* row = d.by_distance + i * shape.columns;
    std::fill_n(row, keys.rows, Real{0});
    add_to_bias(ds + i * shape.columns, block.queries.begin + i, block.keys, row);
  }
  const Rows<Real> by_distance{d.by_distance, block.queries.size(), keys.rows, shape.columns};
  const Index width = shape.query_width(), head = block.head * shape.head_dim;
  products.plain(by_distance, keys, {d.distance_q + block.queries.begin * width + head, width}, true);
  products.of_columns(by_distance, block.query_rows(shape, in.distance_q), {d.distance_k + head, width}, true);
}

}  // namespace

template <class Real>
void attention_backward(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges,
                        Index row, const Real* weights, const Real* dcontext, const AttentionReach& reach,
                        Real* scratch, const AttentionGradient<Real>& d) {
  const auto& products = best_products<Real>();
  const Index columns = shape.columns;
  for_each_block(shape, ranges, row, [&](const AttentionBlock& block) {
    const Real* p = weights + (block.head * shape.length + block.queries.begin) * columns;
    const Rows<Real> dcontext_rows = block.context_rows(shape, dcontext);
    products.with_rows(dcontext_rows, block.value_rows(shape, in.v, block.keys), {scratch, columns}, false);
    for (Index i = 0; i < block.queries.size(); ++i) {
      Real* ds = scratch + i * columns;
      softmax_backward(p + i * columns, block.keys.size(), ds);
      const Index query = block.queries.begin + i;
      if (d.bias) add_to_bias(ds, query, block.keys, d.bias + in.bias_place(shape, block.head, query));
      for (Index j = 0; j < block.keys.size(); ++j) ds[j] *= static_cast<Real>(shape.scale);
    }
    if (d.distance_q) distances_backward(shape, block, in, scratch, d);
    const Index width = shape.query_width();
    const Index n = block.queries.begin / shape.block;
    const Index segment = d.earlier_k ? shape.segment_begin(block.queries.begin) : 0;
    products.plain({scratch, block.queries.size(), block.keys.size(), columns}, block.key_rows(shape, in.k, block.keys),
                   {d.q + block.queries.begin * width + block.head * shape.head_dim, width}, true);
    const Range keys = reached(shape, block, reach.first_block_of_keys(n)),
                values = reached(shape, block, reach.first_block_of_values(n));
    const auto add_keys = [&](Range some, Real* to) {
      add_to_keys(shape, block, some, scratch, block.query_rows(shape, in.q),
                  ProductRows<Real>{to + block.key_place(shape, some.begin), shape.key_width()});
    };
    const auto add_values = [&](Range some, Real* to) {
      add_to_keys(shape, block, some, p, dcontext_rows,
                  ProductRows<Real>{to + block.value_place(shape, some.begin), shape.value_width()});
    };
    add_keys({std::max(keys.begin, segment), keys.end}, d.k);
    add_values({std::max(values.begin, segment), values.end}, d.v);
    if (keys.begin >= segment) return;
    add_keys({keys.begin, segment}, d.earlier_k);
    add_values({values.begin, segment}, d.earlier_v);
  });
}

template void attention_backward(const AttentionShape&, const AttentionOperands<float>&, const KeyRanges&, Index,
                                 const float*, const float*, const AttentionReach&, float*,
                                 const AttentionGradient<float>&);
template void attention_backward(const AttentionShape&, const AttentionOperands<double>&, const KeyRanges&, Index,
                                 const double*, const double*, const AttentionReach&, double*,
                                 const AttentionGradient<double>&);

}  // namespace vqscope
