// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/retrieval.h"

#include <cmath>
#include <vector>

namespace vqscope {
namespace {

/// Indices of the `count` largest scores, largest first; ties go to the lower index.
template <class Real>
void select_largest(const Real* scores, Index size, Index count, std::int32_t* places) {
  Index chosen = 0;
  for (Index j = 0; j < size; ++j) {
    if (chosen == count && scores[j] <= scores[places[count - 1]]) continue;
    Index at = chosen < count ? chosen++ : count - 1;
    for (; at > 0 && scores[places[at - 1]] < scores[j]; --at) places[at] = places[at - 1];
    places[at] = static_cast<std::int32_t>(j);
  }
}

/// Weights of the chosen scores.
template <class Real>
void softmax_of_chosen(const Real* scores, const std::int32_t* places, Index count, Real scale, Real* weights) {
  Real sum = 0;
  for (Index i = 0; i < count; ++i) sum += weights[i] = std::exp(scale * (scores[places[i]] - scores[places[0]]));
  for (Index i = 0; i < count; ++i) weights[i] /= sum;
}

}  // namespace

template <class Real>
void retrieve_block(const RetrievalShape& shape, const RetrievalOperands<Real>& in, const AttentionBlock& block,
                    const Rows<Real>& queries, const Retrieved<Real>& out, const ProductRows<Real>& context,
                    Real* scratch) {
  const AttentionShape& a = shape.attention;
  const Index size = block.keys.size(), count = std::min(shape.top_k, size);
  best_products<Real>().with_rows(queries, block.key_rows(a, in.k, block.keys), {scratch, size}, false);
  for (Index row = 0; row < queries.rows; ++row) {
    std::int32_t* keys = out.keys + row * shape.top_k;
    Real* weights = out.weights + row * shape.top_k;
    select_largest(scratch + row * size, size, count, keys);
    softmax_of_chosen(scratch + row * size, keys, count, static_cast<Real>(a.scale), weights);
    for (Index i = 0; i < count; ++i) {
      keys[i] += static_cast<std::int32_t>(block.keys.begin);
      const Real* v = in.v + block.value_place(a, keys[i]);
      for (Index n = 0; n < a.value_size(); ++n) context.data[row * context.stride + n] += weights[i] * v[n];
    }
  }
}

template <class Real>
void retrieve(const RetrievalShape& shape, const RetrievalOperands<Real>& in, const Retrieved<Real>& out, Real* context,
              Real* scratch) {
  const AttentionShape& a = shape.attention;
  std::fill_n(context, a.length * a.context_width(), Real{0});
  for (Index head = 0; head < a.heads; ++head)
    for (Range queries; queries.end < a.length;) {
      queries = a.block_of(queries.end);
      const AttentionBlock block{head, queries, shape.stored(queries.begin)};
      const Index at = shape.place(head, queries.begin);
      if (block.keys.size() > 0)
        retrieve_block(shape, in, block, block.query_rows(a, in.q), {out.keys + at, out.weights + at},
                       {context + block.context_place(a), a.context_width()}, scratch);
    }
}

template <class Real>
void retrieve_newest(const RetrievalShape& shape, const RetrievalOperands<Real>& in, Index token, const Real* query,
                     Real* context) {
  const AttentionShape& a = shape.attention;
  const Range stored = shape.stored(token);
  std::vector<std::int32_t> keys(static_cast<std::size_t>(shape.top_k));
  std::vector<Real> weights(keys.size()), scratch(static_cast<std::size_t>(stored.size()));
  for (Index head = 0; head < a.heads && stored.size() > 0; ++head)
    retrieve_block(shape, in, {head, {token, token + 1}, stored},
                   {query + head * a.head_dim, 1, a.head_dim, a.head_dim}, {keys.data(), weights.data()},
                   {context + head * a.value_size(), a.context_width()}, scratch.data());
}

template <class Real>
void retrieve_backward(const RetrievalShape& shape, const RetrievalOperands<Real>& in, const Retrieved<Real>& kept,
                       const Real* dcontext, Real* dq) {
  const AttentionShape& a = shape.attention;
  const auto scale = static_cast<Real>(a.scale);
  for (Index head = 0; head < a.heads; ++head)
    for (Index query = 0; query < a.length; ++query) {
      const AttentionBlock block{head, {query, query + 1}, {}};
      const std::int32_t* keys = kept.keys + shape.place(head, query);
      const Real* p = kept.weights + shape.place(head, query);
      const Real* d = dcontext + block.context_place(a);
      const Index count = shape.retrieved(query);
      const auto dp = [&](Index i) {
        const Real* v = in.v + block.value_place(a, keys[i]);
        Real sum = 0;
        for (Index n = 0; n < a.value_size(); ++n) sum += d[n] * v[n];
        return sum;
      };
      Real mean = 0;
      for (Index i = 0; i < count; ++i) mean += p[i] * dp(i);
      Real* of_query = dq + query * a.query_width() + head * a.head_dim;
      for (Index i = 0; i < count; ++i) {
        const Real ds = scale * p[i] * (dp(i) - mean);
        const Real* k = in.k + block.key_place(a, keys[i]);
        for (Index n = 0; n < a.head_dim; ++n) of_query[n] += ds * k[n];
      }
    }
}

template void retrieve(const RetrievalShape&, const RetrievalOperands<float>&, const Retrieved<float>&, float*, float*);
template void retrieve(const RetrievalShape&, const RetrievalOperands<double>&, const Retrieved<double>&, double*,
                       double*);
template void retrieve_block(const RetrievalShape&, const RetrievalOperands<float>&, const AttentionBlock&,
                             const Rows<float>&, const Retrieved<float>&, const ProductRows<float>&, float*);
template void retrieve_block(const RetrievalShape&, const RetrievalOperands<double>&, const AttentionBlock&,
                             const Rows<double>&, const Retrieved<double>&, const ProductRows<double>&, double*);
template void retrieve_newest(const RetrievalShape&, const RetrievalOperands<float>&, Index, const float*, float*);
template void retrieve_newest(const RetrievalShape&, const RetrievalOperands<double>&, Index, const double*, double*);
template void retrieve_backward(const RetrievalShape&, const RetrievalOperands<float>&, const Retrieved<float>&,
                                const float*, float*);
template void retrieve_backward(const RetrievalShape&, const RetrievalOperands<double>&, const Retrieved<double>&,
                                const double*, double*);

}  // namespace vqscope
