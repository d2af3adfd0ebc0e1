// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/model/layer/layers.h"
#include "core/model/pass/layer_pass.h"

#include <algorithm>

namespace vqscope {

template <class Real>
void attend_gated(const LayerPass<Real>& pass, Index number, Real* output, LayerSums& sums) {
  const auto& c = pass.config;
  const auto& parameters = pass.parameters;
  const Index tokens = pass.tokens();
  const auto& at = pass.offsets(number);
  const auto& l = pass.layer(number);
  const LinearShape to_keys{tokens, c.d_model, c.key_width()};
  const LinearShape to_values{tokens, c.d_model, c.d_v};
  const Index values = tokens * c.d_v;
  RmsNorm<Real>{tokens, c.d_model, static_cast<Real>(c.eps)}.forward(l.input, parameters.at(at.input_norm),
                                                                     l.input_normed, l.input_r);
  linear(to_keys, l.input_normed, parameters.at(at.q), projected_queries(l));
  linear(to_keys, l.input_normed, parameters.at(at.k), projected_keys(l));
  linear(to_values, l.input_normed, parameters.at(at.v), l.plain_v);
  linear(to_values, l.input_normed, parameters.at(at.gate), l.gate);
  if (pass.stop.stop_requested()) return;
  silu(values, l.plain_v, l.v);
  pass.mix(number, sums);
  swiglu(values, l.gate, l.context, l.hidden);
  if (output != l.input) std::copy_n(l.input, tokens * c.d_model, output);
  add_branch(pass, {number, DropoutPlace::Branch::attention}, c.d_v, l.hidden, parameters.at(at.o), output);
}

template <class Real>
void attend_gated_backward(const LayerPass<Real>& pass, Index number, Real commit_scale) {
  const auto& c = pass.config;
  const auto& parameters = pass.parameters;
  const Index tokens = pass.tokens();
  const auto& at = pass.offsets(number);
  const auto& l = pass.layer(number);
  const auto& d = pass.a.d;
  const LinearShape to_keys{tokens, c.d_model, c.key_width()};
  const LinearShape to_values{tokens, c.d_model, c.d_v};
  const Index values = tokens * c.d_v;
  for (Real* zeroed : {d.hidden, d.gate, d.context, d.plain_v}) std::fill_n(zeroed, values, Real{0});
  std::fill_n(d.normed, tokens * c.d_model, Real{0});
  linear_backward({tokens, c.d_v, c.d_model}, l.hidden, parameters.at(at.o),
                  branch_gradient(pass, {number, DropoutPlace::Branch::attention}, d.residual), d.hidden,
                  d.parameters + at.o);
  if (pass.stop.stop_requested()) return;
  swiglu_backward(values, l.gate, l.context, d.hidden, d.gate, d.context);
  const auto [dq, dk] = pass.mix_backward(number, commit_scale);
  silu_backward(values, l.plain_v, d.v, d.plain_v);
  linear_backward(to_keys, l.input_normed, parameters.at(at.q), dq, d.normed, d.parameters + at.q);
  linear_backward(to_keys, l.input_normed, parameters.at(at.k), dk, d.normed, d.parameters + at.k);
  if (pass.stop.stop_requested()) return;
  linear_backward(to_values, l.input_normed, parameters.at(at.v), d.plain_v, d.normed, d.parameters + at.v);
  linear_backward(to_values, l.input_normed, parameters.at(at.gate), d.gate, d.normed, d.parameters + at.gate);
  RmsNorm<Real>{tokens, c.d_model, static_cast<Real>(c.eps)}.backward(
      l.input, parameters.at(at.input_norm), l.input_r, d.normed, d.residual, d.parameters + at.input_norm);
}

template void attend_gated(const LayerPass<float>&, Index, float*, LayerSums&);
template void attend_gated(const LayerPass<double>&, Index, double*, LayerSums&);
template void attend_gated_backward(const LayerPass<float>&, Index, float);
template void attend_gated_backward(const LayerPass<double>&, Index, double);

}  // namespace vqscope
