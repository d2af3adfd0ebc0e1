// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/layer_pass.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Writes the kept rows and then the row's own [length, width].
template <class Real>
void join_rows(const std::vector<Real>& kept, const Real* own, Index count, Real* out) {
  std::copy_n(own, count, std::ranges::copy(kept, out).out);
}

/// The last `count` numbers.
template <class Real>
void take_last(const Real* joined, Index all, Index count, std::vector<Real>& out) {
  out.assign(joined + all - count, joined + all);
}

/// The keys as a state keeps them.
template <class Real>
const Real* kept_form(const LayerActivations<Real>& layer) {
  return layer.quantised ? layer.quantised : layer.k;
}

}  // namespace

template <class Real>
void join(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& c = pass.config;
  const auto& a = pass.a;
  const auto& layer = pass.layer(number);
  const auto& kept = pass.state->before(number, pass.rows.begin + row);
  const Index keys = pass.kept() + pass.length;
  const Index own_k = pass.length * c.key_width(), own_v = pass.length * c.value_width();
  join_rows(kept.k, kept_form(layer) + row * own_k, own_k, a.joined_k);
  join_rows(kept.v, layer.v + row * own_v, own_v, a.joined_v);
  if (!c.quantises()) return;
  for (Index head = 0; head < c.n_kv_heads; ++head) {
    const auto begin = kept.codes.begin() + head * pass.kept();
    std::int32_t* codes = std::copy_n(begin, pass.kept(), a.joined_codes + head * keys);
    std::copy_n(layer.codes + (row * c.n_kv_heads + head) * pass.length, pass.length, codes);
  }
  if (!a.joined_rotated) return;
  std::copy_n(a.joined_k, keys * c.key_width(), a.joined_rotated);
  const auto& tables = pass.tables.rotary();
  Rotary<Real>{keys, c.n_kv_heads, c.head_dim, tables.key_cos.data(), tables.key_sin.data()}.forward(a.joined_rotated);
}

template <class Real>
void keep_latest(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& c = pass.config;
  const Index keys = pass.kept() + pass.length;
  const Index latest = std::min(keys, pass.carried);
  auto& after = pass.state->after(number, pass.rows.begin + row);
  take_last(pass.a.joined_k, keys * c.key_width(), latest * c.key_width(), after.k);
  take_last(pass.a.joined_v, keys * c.value_width(), latest * c.value_width(), after.v);
  after.codes.clear();
  for (Index head = 0; head < c.n_kv_heads && c.quantises(); ++head) {
    const std::int32_t* end = pass.a.joined_codes + (head + 1) * keys;
    after.codes.insert(after.codes.end(), end - latest, end);
  }
}

template <class Real>
void use_joined(const LayerPass<Real>& pass, Index number, Index row, LinearVqOperands<Real>& in) {
  const auto& kept = pass.state->before(number, pass.rows.begin + row);
  in.quantised = pass.a.joined_k;
  if (in.near_k) in.near_k = pass.a.joined_rotated;
  in.v = pass.a.joined_v;
  in.codes = pass.a.joined_codes;
  if (pass.kept() > 0) in.earlier = kept.totals.data();
}

template <class Real>
void use_joined(const LayerPass<Real>& pass, AttentionOperands<Real>& in) {
  in.k = pass.a.joined_rotated ? pass.a.joined_rotated : pass.a.joined_k;
  in.v = pass.a.joined_v;
  if (in.far_k) in.far_k = pass.a.joined_k;
}

template <class Real>
void begin_joined_gradients(const LayerPass<Real>& pass, AttentionGradient<Real>& d) {
  const Index keys = pass.kept() + pass.length;
  d.k = pass.a.d.joined_k;
  d.v = pass.a.d.joined_v;
  std::fill_n(d.k, keys * pass.config.key_width(), Real{0});
  std::fill_n(d.v, keys * pass.config.value_width(), Real{0});
  if (!d.far_k) return;
  d.far_k = pass.a.d.joined_far_k;
  std::fill_n(d.far_k, keys * pass.config.key_width(), Real{0});
}

template <class Real>
void add_joined_gradients(const LayerPass<Real>& pass, Index row) {
  const auto& d = pass.a.d;
  const auto add = [&](const Real* joined, Index width, Real* to) {
    joined += pass.kept() * width;
    to += row * pass.length * width;
    for (Index i = 0; i < pass.length * width; ++i) to[i] += joined[i];
  };
  add(d.joined_k, pass.config.key_width(), d.k);
  add(d.joined_v, pass.config.value_width(), d.v);
  if (d.joined_far_k) add(d.joined_far_k, pass.config.key_width(), d.far_k);
}

template void join(const LayerPass<float>&, Index, Index);
template void join(const LayerPass<double>&, Index, Index);
template void keep_latest(const LayerPass<float>&, Index, Index);
template void keep_latest(const LayerPass<double>&, Index, Index);
template void use_joined(const LayerPass<float>&, Index, Index, LinearVqOperands<float>&);
template void use_joined(const LayerPass<double>&, Index, Index, LinearVqOperands<double>&);
template void use_joined(const LayerPass<float>&, AttentionOperands<float>&);
template void use_joined(const LayerPass<double>&, AttentionOperands<double>&);
template void begin_joined_gradients(const LayerPass<float>&, AttentionGradient<float>&);
template void begin_joined_gradients(const LayerPass<double>&, AttentionGradient<double>&);
template void add_joined_gradients(const LayerPass<float>&, Index);
template void add_joined_gradients(const LayerPass<double>&, Index);

}  // namespace vqscope
