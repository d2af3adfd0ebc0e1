// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/attention.h"

#include <cmath>
#include <limits>

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
  Real largest = -std::numeric_limits<Real>::infinity();
  for (const Range& some : visible)
    for (Index j = some.begin; j < some.end; ++j) largest = std::max(largest, row[j - keys.begin]);
  Real sum = 0;
  Index next = keys.begin;
  for (const Range& some : visible) {
    std::fill(row + (next - keys.begin), row + (some.begin - keys.begin), Real{0});
    for (Index j = some.begin; j < some.end; ++j) {
      Real& weight = row[j - keys.begin];
      weight = std::exp(weight - largest);
      sum += weight;
    }
    next = some.end;
  }
  std::fill(row + (next - keys.begin), row + keys.size(), Real{0});
  if (sum == 0) return;
  for (Index i = 0; i < keys.size(); ++i) row[i] /= sum;
}

/// Applies scale and bias to the keys that query i sees; a later key has the bias of distance 0.
template <class Real>
void finish_scores(const AttentionShape& shape, std::span<const Range> visible, Index query, Index first,
                   const Real* bias, const Real* far, const Real* by_distance, Real* row) {
  const auto scale = static_cast<Real>(shape.scale);
  const auto finish = [&](Index j, Index distance) {
    Real& score = row[j - first];
    if (far && distance >= shape.far_from) score = far[j - first];
    if (by_distance) score += by_distance[distance];
    score = scale * score + (bias ? bias[distance] : Real{0});
  };
  for (const Range& some : visible) {
    for (Index j = some.begin; j < std::min(some.end, query + 1); ++j) finish(j, query - j);
    for (Index j = std::max(some.begin, query + 1); j < some.end; ++j) finish(j, 0);
  }
}

}  // namespace

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
      const auto visible = ranges.of(row, query);
      Real* of_query = scores + i * shape.columns;
      finish_scores(shape, visible, query, block.keys.begin,
                    in.bias ? in.bias + in.bias_place(shape, block.head, query) : nullptr,
                    far ? far + i * shape.columns : nullptr, in.distance_q ? scratch + i * shape.columns : nullptr,
                    of_query);
      softmax(visible, block.keys, of_query);
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

}  // namespace vqscope
