// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/linear_vq_attention.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Accumulates gradients of later queries for the keys and values that they saw through codes only.
/// For a key j of code s, which each query i sees with weight w_is = p_is / count_s:
///
///   dv_j = Σ_i w_is dcontext_i        dk_j = Σ_i w_is (dcontext_i · v_j - Δ_i) q_i        Δ_i = Σ p dp of query i
template <class Real>
class CodeGradients {
 public:
  CodeGradients(const LinearVqShape& shape, bool keys)
      : m_key_width(shape.keys.head_dim),
        m_value_width(shape.keys.value_size()),
        m_of_values(numbers(shape.n_code, m_value_width)),
        m_of_keys(keys ? numbers(shape.n_code, m_key_width) : 0),
        m_outer_of_keys(keys ? numbers(shape.n_code, m_key_width * m_value_width) : 0),
        m_outer(keys ? numbers(shape.keys.block, m_key_width * m_value_width) : 0) {}

  void reset() {
    for (auto* sums : {&m_of_values, &m_of_keys, &m_outer_of_keys}) std::fill(sums->begin(), sums->end(), Real{0});
  }

  /// `w` is [queries, codes]; `w_delta` is w times Δ.
  void add(const Rows<Real>& w, const Rows<Real>& w_delta, const Rows<Real>& q, const Rows<Real>& dcontext) {
    const auto& products = best_products<Real>();
    products.of_columns(w, dcontext, {m_of_values.data(), m_value_width}, true);
    if (m_of_keys.empty()) return;
    products.of_columns(w_delta, q, {m_of_keys.data(), m_key_width}, true);
    Real* outer = m_outer.data();
    for (Index i = 0; i < q.rows; ++i)
      for (Index a = 0; a < m_key_width; ++a)
        for (Index b = 0; b < m_value_width; ++b)
          *outer++ = q.data[i * q.stride + a] * dcontext.data[i * dcontext.stride + b];
    const Index area = m_key_width * m_value_width;
    products.of_columns(w, {m_outer.data(), q.rows, area, area}, {m_outer_of_keys.data(), area}, true);
  }

  /// Adds the gradients of one key of that code and of its value.
  void give(Index code, const Real* value, Real* dk, Real* dv) const {
    const Real* of_value = m_of_values.data() + code * m_value_width;
    for (Index c = 0; c < m_value_width; ++c) dv[c] += of_value[c];
    if (m_of_keys.empty()) return;
    const Real* outer = m_outer_of_keys.data() + code * m_key_width * m_value_width;
    for (Index a = 0; a < m_key_width; ++a, outer += m_value_width) {
      Real sum = -m_of_keys[static_cast<std::size_t>(code * m_key_width + a)];
      for (Index b = 0; b < m_value_width; ++b) sum += outer[b] * value[b];
      dk[a] += sum;
    }
  }

 private:
  static std::size_t numbers(Index rows, Index cols) { return static_cast<std::size_t>(rows * cols); }

  Index m_key_width;
  Index m_value_width;
  std::vector<Real> m_of_values;      ///< [n_code, value_size]: Σ w dcontext
  std::vector<Real> m_of_keys;        ///< [n_code, head_dim]: Σ w Δ q; empty: no gradients of keys
  std::vector<Real> m_outer_of_keys;  ///< [n_code, head_dim, value_size]: Σ w q dcontextᵀ
  std::vector<Real> m_outer;          ///< [block, head_dim, value_size]: q dcontextᵀ
};

/// The backward pass of one head, from its last block to its first.
template <class Real>
class HeadBackward {
 public:
  HeadBackward(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const Real* weights, const Real* dcontext,
               const AttentionReach& reach, Real* scratch, const AttentionGradient<Real>& d, Index head)
      : m_shape(shape),
        m_in(in),
        m_weights(weights + head * shape.keys.queries() * shape.columns()),
        m_dcontext(dcontext),
        m_reach(reach),
        m_scratch(scratch),
        m_d(d),
        m_head(head),
        m_cache(shape, in, shape.keys.kv_head(head)),
        m_far(shape, reach.keys < 0),
        m_w(static_cast<std::size_t>(2 * shape.keys.block * shape.n_code)),
        m_of_each(static_cast<std::size_t>(shape.n_code)) {}

  void run() {
    for (Index n = 0; n + 2 < m_shape.blocks(); ++n) m_cache.add(n);
    for (Index n = m_shape.blocks(); n-- > m_shape.first_block();) {
      block_backward(near_block(m_shape.keys, m_head, n), n > 1 || m_in.earlier);
      if (n > 1) {
        if (m_reach.first_block_of_values(n) <= n - 2) give_to_block(n - 2);
        m_cache.remove(n - 2);
      }
      if (m_reach.begins_at(n)) m_far.reset();
    }
  }

 private:
  void block_backward(const AttentionBlock& block, bool far) {
    const auto& products = best_products<Real>();
    const AttentionShape& keys = m_shape.keys;
    const Index columns = m_shape.columns();
    const Real* p = m_weights + (block.queries.begin - keys.first) * columns;
    const Rows<Real> q = block.query_rows(keys, m_in.q);
    const Rows<Real> dcontext = block.context_rows(keys, m_dcontext);
    Real* codes = m_scratch + m_shape.near_keys();
    products.with_rows(dcontext, block.value_rows(keys, m_in.v, block.keys), {m_scratch, columns}, false);
    if (far) products.with_rows(dcontext, m_cache.means(), {codes, columns}, false);
    for (Index s = 0; far && s < m_shape.n_code; ++s)
      m_of_each[static_cast<std::size_t>(s)] = 1 / static_cast<Real>(std::max<Index>(m_cache.count(s), 1));
    for (Index i = 0; i < q.rows; ++i) row_backward(block, i, far, p + i * columns, m_scratch + i * columns);
    const Index place = block.query_place(keys);
    const ProductRows<Real> dq{m_d.q + place, keys.query_width()};
    const ProductRows<Real> dfar_q{(m_d.far_q ? m_d.far_q : m_d.q) + place, keys.query_width()};
    if (m_d.distance_q) distances_backward(keys, block, m_in.distance_q, m_in.distance_k, m_scratch, m_d);
    if (m_d.far_q) part_far_scores(keys, block, m_scratch, m_d.parted);
    products.plain({m_scratch, q.rows, block.keys.size(), columns}, block.key_rows(keys, m_in.near_keys(), block.keys),
                   dq, true);
    if (m_d.far_q)
      products.plain({m_d.parted, q.rows, block.keys.size(), columns}, block.key_rows(keys, m_in.quantised, block.keys),
                     dfar_q, true);
    if (far)
      products.plain({codes, q.rows, m_shape.n_code, columns}, codewords_of(m_shape, m_in, m_head), dfar_q, true);
    const Index n = block.queries.begin / keys.block;
    const Range of_keys = near_from(block, m_reach.first_block_of_keys(n));
    add_to_near(block, of_keys, m_scratch, q, {m_d.k + block.key_place(keys, of_keys.begin), keys.key_width()});
    const Rows<Real> far_q = block.query_rows(keys, m_in.code_queries());
    if (m_d.far_k)
      add_to_near(block, of_keys, m_d.parted, far_q,
                  {m_d.far_k + block.key_place(keys, of_keys.begin), keys.key_width()});
    const Range of_values = near_from(block, m_reach.first_block_of_values(n));
    add_to_near(block, of_values, p, dcontext, {m_d.v + block.value_place(keys, of_values.begin), keys.value_width()});
    if (far) m_far.add(of_codes(q.rows, 0), of_codes(q.rows, 1), far_q, dcontext);
  }

  /// Turns dp of one query into ds = p (dp - Δ), and records its weights per key of the cache.
  void row_backward(const AttentionBlock& block, Index i, bool far, const Real* p, Real* dp) {
    const Index seen = block.queries.begin + i + 1 - block.keys.begin;
    const Index begin = m_shape.near_keys(), end = far ? m_shape.columns() : begin;
    const auto& kernels = best_layer_kernels<Real>();
    Real delta = kernels.product(p, dp, seen);
    if (far) delta += kernels.product(p + begin, dp + begin, m_shape.n_code);
    kernels.weigh_differences(p, block.keys.size(), delta, Real{1}, dp);
    if (far) kernels.weigh_differences(p + begin, m_shape.n_code, delta, Real{1}, dp + begin);
    const AttentionShape& keys = m_shape.keys;
    Real* dbias = m_d.bias ? m_d.bias + m_in.bias_place(keys, m_head, block.queries.begin + i) : nullptr;
    for (Index j = 0; dbias && j < seen; ++j) dbias[keys.counted(seen - 1 - j)] += dp[j];
    for (Index j = begin; dbias && j < end; ++j) dbias[code_distance(keys)] += dp[j];
    if (!far) return;
    Real* w = m_w.data() + i * m_shape.n_code;
    Real* w_delta = m_w.data() + (keys.block + i) * m_shape.n_code;
    for (Index s = 0; s < m_shape.n_code; ++s) {
      w[s] = p[begin + s] * m_of_each[static_cast<std::size_t>(s)];
      w_delta[s] = w[s] * delta;
    }
  }

  /// The weights per key of the cache, [queries, n_code], or these weights times Δ.
  Rows<Real> of_codes(Index queries, Index which) const {
    return {m_w.data() + which * m_shape.keys.block * m_shape.n_code, queries, m_shape.n_code, m_shape.n_code};
  }

  /// The near keys from `first_block` on.
  Range near_from(const AttentionBlock& block, Index first_block) const {
    return {std::clamp(first_block * m_shape.keys.block, block.keys.begin, block.keys.end), block.keys.end};
  }

  /// Adds (weights or gradients of scores)ᵀ · rows of the queries, for some near keys.
  void add_to_near(const AttentionBlock& block, Range some, const Real* by_key, const Rows<Real>& by_query,
                   const ProductRows<Real>& d) const {
    best_products<Real>().of_columns(
        {by_key + (some.begin - block.keys.begin), by_query.rows, some.size(), m_shape.columns()}, by_query, d, true);
  }

  void give_to_block(Index n) {
    const AttentionShape& keys = m_shape.keys;
    const Range some = keys_of_block(keys, n);
    for (Index t = some.begin; t < some.end; ++t) {
      const Index head = keys.kv_head(m_head);
      const Index key = t * keys.key_width() + head * keys.head_dim;
      const Index value = t * keys.value_width() + head * keys.value_size();
      m_far.give(m_in.codes[head * keys.length + t], m_in.v + value, (m_d.far_k ? m_d.far_k : m_d.k) + key,
                 m_d.v + value);
    }
  }

  const LinearVqShape& m_shape;
  const LinearVqOperands<Real>& m_in;
  const Real* m_weights;
  const Real* m_dcontext;
  const AttentionReach& m_reach;
  Real* m_scratch;
  const AttentionGradient<Real>& m_d;
  Index m_head;
  CodeSums<Real> m_cache;
  CodeGradients<Real> m_far;
  std::vector<Real> m_w;
  std::vector<Real> m_of_each;  ///< [n_code]: 1 / keys of a code, of the current block
};

}  // namespace

template <class Real>
void linear_vq_backward(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const Real* weights,
                        const Real* dcontext, const AttentionReach& reach, Real* scratch,
                        const AttentionGradient<Real>& d) {
  for (Index head = 0; head < shape.keys.heads; ++head)
    HeadBackward<Real>(shape, in, weights, dcontext, reach, scratch, d, head).run();
}

template void linear_vq_backward(const LinearVqShape&, const LinearVqOperands<float>&, const float*, const float*,
                                 const AttentionReach&, float*, const AttentionGradient<float>&);
template void linear_vq_backward(const LinearVqShape&, const LinearVqOperands<double>&, const double*, const double*,
                                 const AttentionReach&, double*, const AttentionGradient<double>&);

}  // namespace vqscope
