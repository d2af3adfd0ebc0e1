// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/attention.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

/// Writes scores [queries, keys.size()], before scale and bias, to rows of `out` that lie `columns`
/// apart.
template <class Real>
void products_of(const AttentionShape& shape, const AttentionBlock& block, const Real* q, const Real* k, Real* out) {
  best_products<Real>().with_rows(block.query_rows(shape, q), block.key_rows(shape, k, block.keys),
                                  {out, shape.columns}, false);
}

/// Turns the scores of one query at `row`, one for each of `keys`, into weights. Keys that the
/// query does not see get weight 0.
template <class Real>
void softmax(std::span<const Range> visible, Range keys, Real* row) {
  const auto& kernels = best_layer_kernels<Real>();
  const auto at = [&](Index key) { return row + (key - keys.begin); };
  Real largest = -std::numeric_limits<Real>::infinity();
  for (const Range& some : visible) largest = std::max(largest, kernels.largest(at(some.begin), some.size()));
  Real sum = 0;
  Index next = keys.begin;
  for (const Range& some : visible) {
    std::fill(at(next), at(some.begin), Real{0});
    sum += kernels.exponentials(at(some.begin), some.size(), largest);
    next = some.end;
  }
  std::fill(at(next), at(keys.end), Real{0});
  if (sum == 0) return;
  for (const Range& some : visible) kernels.scale(at(some.begin), some.size(), 1 / sum);
}

/// Applies scale and bias to the keys that query i sees; a later key has the bias of distance 0.
template <class Real>
void finish_scores(const AttentionShape& shape, std::span<const Range> visible, Index query, Index first,
                   const Real* bias, const Real* far, const Real* by_distance, Real* row) {
  const auto scale = static_cast<Real>(shape.scale);
  for (const Range& some : visible) {
    const Range past{some.begin, std::max(some.begin, std::min(some.end, query + 1))};
    Real* scores = row + (past.begin - first);
    if (far)
      std::copy_n(far + (past.begin - first),
                  std::clamp<Index>(query - shape.far_from + 1 - past.begin, 0, past.size()), scores);
    if (by_distance) add_by_distance(shape, past, query, Real{1}, by_distance, scores);
    if (bias)
      add_by_distance(shape, past, query, scale, bias, scores);
    else if (scale != 1)
      best_layer_kernels<Real>().scale(scores, past.size(), scale);
    for (Index j = past.end; j < some.end; ++j) {
      Real& score = row[j - first];
      score = scale * (score + (by_distance ? by_distance[0] : Real{0})) + (bias ? bias[0] : Real{0});
    }
  }
}

/// A query's weight on the keys of the blocks before the previous block.
template <class Real>
Real weight_on_cache(const AttentionShape& shape, const AttentionBlock& block, const Real* p) {
  const Index end = (block.queries.begin / shape.block - 1) * shape.block;
  return std::accumulate(p, p + std::clamp<Index>(end - block.keys.begin, 0, block.keys.size()), Real{0});
}

/// The block's keys from `first_block` on.
Range reached(const AttentionShape& shape, const AttentionBlock& block, Index first_block) {
  return {std::clamp(first_block * shape.block, block.keys.begin, block.keys.end), block.keys.end};
}

/// Adds the gradients of scores to those of the bias by distance. A later key counts as distance 0;
/// a key that the query does not see has no gradient.
template <class Real>
void add_to_bias(const AttentionShape& shape, const Real* ds, Index query, Range keys, Real* dbias) {
  const Index end = std::min(keys.end, query + 1);
  for (Index j = keys.begin; j < end; ++j) dbias[shape.counted(query - j)] += ds[j - keys.begin];
  for (Index j = std::max(keys.begin, end); j < keys.end; ++j) dbias[0] += ds[j - keys.begin];
}

/// dk or dv of some keys: (weights or gradients of scores)ᵀ · rows of the queries.
template <class Real>
void add_to_keys(const AttentionShape& shape, const AttentionBlock& block, Range some, const Real* by_key,
                 const Rows<Real>& by_query, const ProductRows<Real>& d) {
  best_products<Real>().of_columns(
      {by_key + (some.begin - block.keys.begin), block.queries.size(), some.size(), shape.columns}, by_query, d, true);
}

}  // namespace

template <class Real>
void distances_backward(const AttentionShape& shape, const AttentionBlock& block, const Real* distance_q,
                        const Real* distance_k, const Real* ds, const AttentionGradient<Real>& d) {
  const auto& products = best_products<Real>();
  const Rows<Real> keys = block.distance_rows(shape, distance_k);
  for (Index i = 0; i < block.queries.size(); ++i) {
    Real* row = d.parted + i * shape.columns;
    std::fill_n(row, keys.rows, Real{0});
    add_to_bias(shape, ds + i * shape.columns, block.queries.begin + i, block.keys, row);
  }
  const Rows<Real> by_distance{d.parted, block.queries.size(), keys.rows, shape.columns};
  const Index width = shape.query_width(), head = block.head * shape.head_dim;
  products.plain(by_distance, keys, {d.distance_q + block.query_place(shape), width}, true);
  products.of_columns(by_distance, block.query_rows(shape, distance_q), {d.distance_k + head, width}, true);
}

template void distances_backward(const AttentionShape&, const AttentionBlock&, const float*, const float*, const float*,
                                 const AttentionGradient<float>&);
template void distances_backward(const AttentionShape&, const AttentionBlock&, const double*, const double*,
                                 const double*, const AttentionGradient<double>&);

template <class Real>
void part_far_scores(const AttentionShape& shape, const AttentionBlock& block, Real* ds, Real* far) {
  for (Index i = 0; i < block.queries.size(); ++i, ds += shape.columns, far += shape.columns) {
    const Index query = block.queries.begin + i;
    const Index count = std::clamp<Index>(query - shape.far_from + 1 - block.keys.begin, 0, block.keys.size());
    std::copy_n(ds, count, far);
    std::fill_n(ds, count, Real{0});
    std::fill(far + count, far + block.keys.size(), Real{0});
  }
}

template void part_far_scores(const AttentionShape&, const AttentionBlock&, float*, float*);
template void part_far_scores(const AttentionShape&, const AttentionBlock&, double*, double*);

template <class Real>
void attention(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges, Index row,
               const AttentionWeights<Real>& weights, Real* context, Real* scratch) {
  for_each_block(shape, ranges, row, [&](const AttentionBlock& block) {
    Real* scores = weights.of(shape, block);
    const Real* far = nullptr;
    products_of(shape, block, in.q, in.k, scores);
    if (shape.far_from > 0) {
      products_of(shape, block, in.far_q, in.far_k, scratch);
      far = scratch;
    }
    if (in.distance_q)
      best_products<Real>().with_rows(block.query_rows(shape, in.distance_q), block.distance_rows(shape, in.distance_k),
                                      {scratch, shape.columns}, false);
    for (Index i = 0; i < block.queries.size(); ++i) {
      const Index query = block.queries.begin + i;
      const auto visible = ranges.of(row, query - shape.first);
      Real* of_query = scores + i * shape.columns;
      finish_scores(shape, visible, query, block.keys.begin,
                    in.bias ? in.bias + in.bias_place(shape, block.head, query) : nullptr,
                    far ? far + i * shape.columns : nullptr, in.distance_q ? scratch + i * shape.columns : nullptr,
                    of_query);
      softmax(visible, block.keys, of_query);
      if (weights.on_cache)
        weights.on_cache[block.head * shape.queries() + query - shape.first] = weight_on_cache(shape, block, of_query);
    }
    best_products<Real>().plain({scores, block.queries.size(), block.keys.size(), shape.columns},
                                block.value_rows(shape, in.v, block.keys),
                                {context + block.context_place(shape), shape.context_width()}, false);
  });
}

template void attention(const AttentionShape&, const AttentionOperands<float>&, const KeyRanges&, Index,
                        const AttentionWeights<float>&, float*, float*);
template void attention(const AttentionShape&, const AttentionOperands<double>&, const KeyRanges&, Index,
                        const AttentionWeights<double>&, double*, double*);

template <class Real>
void attention_backward(const AttentionShape& shape, const AttentionOperands<Real>& in, const KeyRanges& ranges,
                        Index row, const Real* weights, const Real* dcontext, const AttentionReach& reach,
                        Real* scratch, const AttentionGradient<Real>& d) {
  const auto& products = best_products<Real>();
  const auto& kernels = best_layer_kernels<Real>();
  const auto scale = static_cast<Real>(shape.scale);
  const Index columns = shape.columns;
  for_each_block(shape, ranges, row, [&](const AttentionBlock& block) {
    const Real* p = weights + AttentionWeights<Real>::place(shape, block) * columns;
    const Rows<Real> dcontext_rows = block.context_rows(shape, dcontext);
    products.with_rows(dcontext_rows, block.value_rows(shape, in.v, block.keys), {scratch, columns}, false);
    for (Index i = 0; i < block.queries.size(); ++i) {
      Real* ds = scratch + i * columns;
      const Real mean = kernels.product(p + i * columns, ds, block.keys.size());
      kernels.weigh_differences(p + i * columns, block.keys.size(), mean, d.bias ? Real{1} : scale, ds);
      if (!d.bias) continue;
      const Index query = block.queries.begin + i;
      add_to_bias(shape, ds, query, block.keys, d.bias + in.bias_place(shape, block.head, query));
      kernels.scale(ds, block.keys.size(), scale);
    }
    if (d.distance_q) distances_backward(shape, block, in.distance_q, in.distance_k, scratch, d);
    if (d.far_q) part_far_scores(shape, block, scratch, d.parted);
    const Index width = shape.query_width();
    const Index n = block.queries.begin / shape.block;
    const Index segment = d.earlier_k ? shape.segment_begin(block.queries.begin) : 0;
    products.plain({scratch, block.queries.size(), block.keys.size(), columns}, block.key_rows(shape, in.k, block.keys),
                   {d.q + block.query_place(shape), width}, true);
    const Range keys = reached(shape, block, reach.first_block_of_keys(n)),
                values = reached(shape, block, reach.first_block_of_values(n));
    if (d.far_q)
      products.plain({d.parted, block.queries.size(), block.keys.size(), columns},
                     block.key_rows(shape, in.far_k, block.keys), {d.far_q + block.query_place(shape), width}, true);
    const auto add_some_keys = [&](Range some, const Real* ds, const Real* q, Real* to) {
      add_to_keys(shape, block, some, ds, block.query_rows(shape, q),
                  ProductRows<Real>{to + block.key_place(shape, some.begin), shape.key_width()});
    };
    const auto add_keys = [&](Range some, Real* to) { add_some_keys(some, scratch, in.q, to); };
    const auto add_values = [&](Range some, Real* to) {
      add_to_keys(shape, block, some, p, dcontext_rows,
                  ProductRows<Real>{to + block.value_place(shape, some.begin), shape.value_width()});
    };
    add_keys({std::max(keys.begin, segment), keys.end}, d.k);
    add_values({std::max(values.begin, segment), values.end}, d.v);
    if (d.far_k) add_some_keys(keys, d.parted, in.far_q, d.far_k);
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
