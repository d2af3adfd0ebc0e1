// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/layer_pass.h"

#include "core/model/attention/vq_keys.h"
#include "core/model/kernels/products.h"
#include "core/model/layer/layers.h"
#include "core/model/position/positions.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

// Transformer-XL's relative positions (Dai et al. 2019, section 3.3), within one sequence:
//   s_ij = ((q_i + u) · k_j + (q_i + v) · r_(i-j)) / √head_dim,   r = r_proj · sinusoids of the distance.
// Where q and k are normalised and include the scale, u, v and r have the factor distance_scale.
// Keys of a memory before the sequence would need larger distances and more rows of r.

/// q becomes q + u, and distance_q q + v.
template <class Real>
void place_distance_queries(const LayerPass<Real>& pass, Index number) {
  const auto& layer = pass.layer(number);
  const Real* u = pass.parameters.at(pass.offsets(number).xl_u);
  const Real* v = pass.parameters.at(pass.offsets(number).xl_v);
  const Index width = pass.config.query_width();
  const auto scale = static_cast<Real>(distance_scale(pass.config));
  for (Index t = 0; t < pass.tokens(); ++t)
    for (Index i = 0; i < width; ++i) {
      const Real q = layer.q[t * width + i];
      layer.distance_q[t * width + i] = q + scale * v[i];
      layer.q[t * width + i] = q + scale * u[i];
    }
}

/// a.d.q, the gradient by q + u, becomes the one by q; the gradients of u, v and r_proj are added
/// to a.d.parameters.
template <class Real>
void distance_queries_backward(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& d = pass.a.d;
  const LayerOffsets& at = pass.offsets(number);
  const Index width = c.query_width();
  const auto scale = static_cast<Real>(distance_scale(c));
  for (Index t = 0; t < pass.tokens(); ++t)
    for (Index i = 0; i < width; ++i) {
      Real& dq = d.q[t * width + i];
      const Real dv = d.distance_q[t * width + i];
      d.parameters[at.xl_u + i] += scale * dq;
      d.parameters[at.xl_v + i] += scale * dv;
      dq += dv;
    }
  const Index distances = pass.tables.distances();
  best_products<Real>().of_columns({d.distance_k, distances, width, width},
                                   {pass.tables.sinusoids_by_distance(), distances, c.d_model, c.d_model},
                                   {d.parameters + at.xl_r, c.d_model}, true);
}

template <class Real>
Rotary<Real> query_rotary(const LayerPass<Real>& pass, Index row) {
  const auto& tables = pass.tables.rotary();
  const std::size_t at = pass.tables.rotary_row(row);
  return {pass.length, pass.config.n_heads, pass.config.head_dim, tables.query_cos.data() + at,
          tables.query_sin.data() + at};
}

template <class Real>
Rotary<Real> key_rotary(const LayerPass<Real>& pass, Index row) {
  const auto& tables = pass.tables.rotary();
  const std::size_t at = pass.tables.rotary_row(row);
  return {pass.length, pass.config.n_kv_heads, pass.config.head_dim, tables.key_cos.data() + at,
          tables.key_sin.data() + at};
}

template <class Real>
Rotary<Real> far_rotary(const LayerPass<Real>& pass) {
  const auto& tables = pass.tables.far_rotary();
  return {1, pass.config.n_heads, pass.config.head_dim, tables.query_cos.data(), tables.query_sin.data()};
}

/// ReRoPE and VQ attention: far queries are rotated as if they stood far_distance() tokens after
/// every far key; far keys are not rotated.
template <class Real>
void place_far(const LayerPass<Real>& pass, const LayerActivations<Real>& layer) {
  const auto& c = pass.config;
  Real* far_q = layer.far_q ? layer.far_q : pass.a.far_q;
  if (pass.a.far_k) std::copy_n(layer.k, pass.tokens() * c.key_width(), pass.a.far_k);
  std::copy_n(layer.q, pass.tokens() * c.query_width(), far_q);
  for (Index t = 0; t < pass.tokens(); ++t) far_rotary(pass).forward(far_q + t * c.query_width());
}

/// Adds the gradients by far queries and by un-rotated codewords to a.d.q and a.d.k.
template <class Real>
void far_backward(const LayerPass<Real>& pass) {
  const auto& c = pass.config;
  const auto& d = pass.a.d;
  for (Index t = 0; t < pass.tokens(); ++t) far_rotary(pass).backward(d.far_q + t * c.query_width());
  for (Index i = 0; i < pass.tokens() * c.query_width(); ++i) d.q[i] += d.far_q[i];
  for (Index i = 0; i < pass.tokens() * c.key_width(); ++i) d.k[i] += d.far_k[i];
}

/// RMSNorm of each head without weights, times head_dim^(-1/4): scores then need no further scale.
template <class Real>
RmsNorm<Real> head_norm(const LayerPass<Real>& pass, Index heads) {
  const auto& c = pass.config;
  return {pass.tokens() * heads, c.head_dim, static_cast<Real>(c.eps),
          static_cast<Real>(std::pow(static_cast<double>(c.head_dim), -0.25))};
}

template <class Real>
VqShape vq_shape(const LayerPass<Real>& pass) {
  return {pass.length, pass.config.n_kv_heads, pass.config.head_dim, pass.config.n_code};
}

template <class Real>
double quantise(const LayerPass<Real>& pass, Index number) {
  const auto& layer = pass.layer(number);
  const VqShape shape = vq_shape(pass);
  double commit = 0;
  for (Index row = 0; row < pass.rows.size(); ++row) {
    const Index at = row * pass.length;
    commit += quantise_keys(shape, layer.k + at * shape.width(), pass.tables.codebook(number),
                            layer.codes + at * shape.heads, layer.quantised + at * shape.width());
  }
  return commit;
}

}  // namespace

template <class Real>
double place_queries_and_keys(const LayerPass<Real>& pass, Index number) {
  const auto& layer = pass.layer(number);
  if (pass.config.normalises()) {
    head_norm(pass, pass.config.n_heads).forward(layer.plain_q, nullptr, layer.q, layer.q_r);
    head_norm(pass, pass.config.n_kv_heads).forward(layer.plain_k, nullptr, layer.k, layer.k_r);
  }
  const double commit = pass.config.quantises() ? quantise(pass, number) : 0;
  if (pass.config.recalls()) {
    std::copy_n(layer.plain_q, pass.tokens() * pass.config.query_width(), layer.q);
    std::copy_n(layer.plain_k, pass.tokens() * pass.config.key_width(), layer.k);
  }
  if (pass.config.pos == PositionKind::xl) place_distance_queries(pass, number);
  if (!pass.config.rotates()) return commit;
  if (pass.config.far_distance() > 0) place_far(pass, layer);
  if (layer.rotated) std::copy_n(layer.quantised, pass.tokens() * pass.config.key_width(), layer.rotated);
  Real* keys = layer.rotated ? layer.rotated : layer.k;
  for (Index row = 0; row < pass.rows.size(); ++row) {
    const Index at = row * pass.length;
    query_rotary(pass, pass.rows.begin + row).forward(layer.q + at * pass.config.query_width());
    key_rotary(pass, pass.rows.begin + row).forward(keys + at * pass.config.key_width());
  }
  return commit;
}

template <class Real>
void queries_and_keys_backward(const LayerPass<Real>& pass, Index number, Real commit_scale) {
  const auto& layer = pass.layer(number);
  const auto& d = pass.a.d;
  const auto& c = pass.config;
  if (c.rotates())
    for (Index row = 0; row < pass.rows.size(); ++row) {
      const Index at = row * pass.length;
      query_rotary(pass, pass.rows.begin + row).backward(d.q + at * c.query_width());
      key_rotary(pass, pass.rows.begin + row).backward(d.k + at * c.key_width());
      if (d.earlier_k) key_rotary(pass, pass.rows.begin + row).backward(d.earlier_k + at * c.key_width());
    }
  if (d.far_q) far_backward(pass);
  if (c.pos == PositionKind::xl) distance_queries_backward(pass, number);
  if (!c.normalises()) return;
  if (c.quantises()) {
    VqShape all = vq_shape(pass);
    all.length = pass.tokens();
    commit_backward(all, layer.k, layer.quantised, commit_scale, d.k);
  }
  std::fill_n(d.plain_q, pass.tokens() * c.query_width(), Real{0});
  std::fill_n(d.plain_k, pass.tokens() * c.key_width(), Real{0});
  head_norm(pass, c.n_heads).backward(layer.plain_q, nullptr, layer.q_r, d.q, d.plain_q, nullptr);
  head_norm(pass, c.n_kv_heads).backward(layer.plain_k, nullptr, layer.k_r, d.k, d.plain_k, nullptr);
}

template double place_queries_and_keys(const LayerPass<float>&, Index);
template double place_queries_and_keys(const LayerPass<double>&, Index);
template void queries_and_keys_backward(const LayerPass<float>&, Index, float);
template void queries_and_keys_backward(const LayerPass<double>&, Index, double);

}  // namespace vqscope
