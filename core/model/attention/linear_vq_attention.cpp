// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/linear_vq_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

/// Turns the scores of one query into weights: of the `near` keys at row and of the codes at
/// row + shape.near_keys().
template <class Real>
void two_part_softmax(const LinearVqShape& shape, Index near, Index keys, bool far, Real* row) {
  const auto& kernels = best_layer_kernels<Real>();
  Real* codes = row + shape.near_keys();
  Real largest = kernels.largest(row, near);
  if (far) largest = std::max(largest, kernels.largest(codes, shape.n_code));
  Real sum = kernels.exponentials(row, near, largest);
  if (far) sum += kernels.exponentials(codes, shape.n_code, largest);
  std::fill(row + near, row + keys, Real{0});
  kernels.scale(row, near, 1 / sum);
  if (far) kernels.scale(codes, shape.n_code, 1 / sum);
}

/// Adds the products with distances to the scores of near keys, and puts those of far ones among them.
template <class Real>
void place_near_scores(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const AttentionBlock& block,
                       Real* scratch, Real* scores) {
  const auto& products = best_products<Real>();
  const AttentionShape& keys = shape.keys;
  const Index columns = shape.columns();
  if (in.far_q)
    products.with_rows(block.query_rows(keys, in.far_q), block.key_rows(keys, in.quantised, block.keys),
                       {scratch, columns}, false);
  else if (in.distance_q)
    products.with_rows(block.query_rows(keys, in.distance_q), block.distance_rows(keys, in.distance_k),
                       {scratch, columns}, false);
  else
    return;
  for (Index i = 0; i < block.queries.size(); ++i, scores += columns, scratch += columns) {
    const Index query = block.queries.begin + i;
    const Range seen{block.keys.begin, query + 1};
    if (in.distance_q) add_by_distance(keys, seen, query, Real{1}, scratch, scores);
    if (in.far_q)
      std::copy_n(scratch, std::clamp<Index>(query - keys.far_from + 1 - seen.begin, 0, seen.size()), scores);
  }
}

template <class Real>
void attend_block(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const AttentionBlock& block,
                  const CodeSums<Real>* cache, const AttentionWeights<Real>& weights, Real* context, Real* scratch) {
  const auto& products = best_products<Real>();
  const AttentionShape& keys = shape.keys;
  const Index columns = shape.columns();
  Real* scores = weights.of(keys, block);
  Real* codes = scores + shape.near_keys();
  const Rows<Real> q = block.query_rows(keys, in.q);
  products.with_rows(q, block.key_rows(keys, in.near_keys(), block.keys), {scores, columns}, false);
  place_near_scores(shape, in, block, scratch, scores);
  if (cache)
    products.with_rows(block.query_rows(keys, in.code_queries()), codewords_of(shape, in, block.head), {codes, columns},
                       false);
  for (Index i = 0; i < q.rows; ++i) {
    const Index query = block.queries.begin + i;
    const Index seen = query + 1 - block.keys.begin;
    Real* row = scores + i * columns;
    const Real* bias = in.bias ? in.bias + in.bias_place(keys, block.head, query) : nullptr;
    if (bias) add_by_distance(keys, {block.keys.begin, query + 1}, query, Real{1}, bias, row);
    const Real code_bias = bias ? bias[code_distance(keys)] : Real{0};
    for (Index s = 0; cache && s < shape.n_code; ++s) codes[i * columns + s] += cache->log_counts()[s] + code_bias;
    two_part_softmax(shape, seen, block.keys.size(), cache != nullptr, row);
    if (!weights.on_cache) continue;
    const Real* of_codes = row + shape.near_keys();
    weights.on_cache[block.head * keys.queries() + query - keys.first] =
        std::accumulate(of_codes, of_codes + (cache ? shape.n_code : 0), Real{0});
  }
  const ProductRows<Real> out{context + block.context_place(keys), keys.context_width()};
  products.plain({scores, q.rows, block.keys.size(), columns}, block.value_rows(keys, in.v, block.keys), out, false);
  if (cache) products.plain({codes, q.rows, shape.n_code, columns}, cache->means(), out, true);
}

}  // namespace

template <class Real>
void linear_vq_attention(const LinearVqShape& shape, const LinearVqOperands<Real>& in,
                         const AttentionWeights<Real>& weights, Real* context, Real* scratch, CodeTotals* after) {
  const AttentionShape& keys = shape.keys;
  for (Index head = 0; head < keys.heads; ++head) {
    CodeSums<Real> cache(shape, in, keys.kv_head(head));
    for (Index n = shape.first_block(); n < shape.blocks(); ++n) {
      if (n > 1) cache.add(n - 2);
      const AttentionBlock block = near_block(keys, head, n);
      attend_block(shape, in, block, n > 1 || in.earlier ? &cache : nullptr, weights, context, scratch);
    }
    if (!after) continue;
    if (shape.blocks() > 1) cache.add(shape.blocks() - 2);
    after[keys.kv_head(head)] = cache.totals();
  }
}

template void linear_vq_attention(const LinearVqShape&, const LinearVqOperands<float>&, const AttentionWeights<float>&,
                                  float*, float*, CodeTotals*);
template void linear_vq_attention(const LinearVqShape&, const LinearVqOperands<double>&,
                                  const AttentionWeights<double>&, double*, double*, CodeTotals*);

template <class Real>
void CodeSums<Real>::take(const CodeTotals& totals) {
  m_counts = totals.counts;
  m_sums = totals.sums;
  for (Index code = 0; code < m_shape.n_code; ++code) update_mean(code);
}

template <class Real>
void CodeSums<Real>::update_mean(Index code) {
  const Index width = m_shape.keys.value_size();
  const auto count = static_cast<double>(std::max<Index>(this->count(code), 1));
  for (Index c = code * width; c < (code + 1) * width; ++c) {
    const auto place = static_cast<std::size_t>(c);
    if (this->count(code) == 0) m_sums[place] = 0;  // exactly, without the rounding error
    m_means[place] = static_cast<Real>(m_sums[place] / count);
  }
  m_log_counts[static_cast<std::size_t>(code)] = this->count(code) > 0 ? static_cast<Real>(std::log(count)) : no_keys;
}

template <class Real>
void CodeSums<Real>::change(Index block, Index by) {
  const AttentionShape& keys = m_shape.keys;
  const Range some = keys_of_block(keys, block);
  const Index width = keys.value_size();
  const std::int32_t* codes = m_in.codes + m_head * keys.length;
  for (Index t = some.begin; t < some.end; ++t) {
    const Real* value = m_in.v + t * keys.value_width() + m_head * width;
    double* sum = m_sums.data() + codes[t] * width;
    m_counts[static_cast<std::size_t>(codes[t])] += by;
    for (Index c = 0; c < width; ++c) sum[c] += static_cast<double>(by) * static_cast<double>(value[c]);
  }
  for (Index t = some.begin; t < some.end; ++t) update_mean(codes[t]);
}

template class CodeSums<float>;
template class CodeSums<double>;

}  // namespace vqscope
