// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/layer_pass.h"

#include "core/model/layer/layers.h"

#include <algorithm>

namespace vqscope {

template <class Real>
void add_branch(const LayerPass<Real>& pass, const DropoutPlace& place, Index width, const Real* x, const Real* weights,
                Real* out) {
  const LinearShape shape{pass.tokens(), width, pass.config.d_model};
  if (!pass.drops_out()) return linear(shape, x, weights, out, true);
  linear(shape, x, weights, pass.a.branch);
  add_kept(*pass.noise, place, pass.rows.begin * pass.length, pass.tokens(), pass.config.d_model, pass.a.branch, out);
}

template <class Real>
const Real* branch_gradient(const LayerPass<Real>& pass, const DropoutPlace& place, const Real* gradient) {
  if (!pass.drops_out()) return gradient;
  replace_by_kept(*pass.noise, place, pass.rows.begin * pass.length, pass.tokens(), pass.config.d_model, gradient,
                  pass.a.branch);
  return pass.a.branch;
}

template <class Real>
void drop_embeddings(const LayerPass<Real>& pass, Real* x) {
  const DropoutPlace embeddings{0, DropoutPlace::Branch::embedding};
  if (!pass.drops_out()) return;
  replace_by_kept(*pass.noise, embeddings, pass.rows.begin * pass.length, pass.tokens(), pass.config.d_model, x, x);
}

template void add_branch(const LayerPass<float>&, const DropoutPlace&, Index, const float*, const float*, float*);
template void add_branch(const LayerPass<double>&, const DropoutPlace&, Index, const double*, const double*, double*);
template const float* branch_gradient(const LayerPass<float>&, const DropoutPlace&, const float*);
template const double* branch_gradient(const LayerPass<double>&, const DropoutPlace&, const double*);
template void drop_embeddings(const LayerPass<float>&, float*);
template void drop_embeddings(const LayerPass<double>&, double*);

template <class Real>
void LayerPass<Real>::transform(Index number, Real* output) const {
  const auto& c = config;
  const auto& at = offsets(number);
  const auto& l = layer(number);
  const LinearShape widen{tokens(), c.d_model, c.d_ff};
  RmsNorm<Real>{tokens(), c.d_model, static_cast<Real>(c.eps)}.forward(l.middle, parameters.at(at.post_norm),
                                                                       l.middle_normed, l.middle_r);
  linear(widen, l.middle_normed, parameters.at(at.up), l.up);
  if (stop.stop_requested()) return;
  if (c.mlp == MlpKind::swiglu) {
    linear(widen, l.middle_normed, parameters.at(at.gate), l.gate);
    swiglu(tokens() * c.d_ff, l.gate, l.up, l.hidden);
  } else {
    gelu(tokens() * c.d_ff, l.up, l.hidden);
  }
  if (stop.stop_requested()) return;
  std::copy_n(l.middle, tokens() * c.d_model, output);
  add_branch(*this, {number, DropoutPlace::Branch::mlp}, c.d_ff, l.hidden, parameters.at(at.down), output);
}

template <class Real>
void LayerPass<Real>::transform_backward(Index number) const {
  const auto& c = config;
  const auto& at = offsets(number);
  const auto& l = layer(number);
  const auto& d = a.d;
  const LinearShape widen{tokens(), c.d_model, c.d_ff};
  const Index hidden = tokens() * c.d_ff;
  for (Real* zeroed : {d.hidden, d.up, d.gate})
    if (zeroed) std::fill_n(zeroed, hidden, Real{0});
  std::fill_n(d.normed, tokens() * c.d_model, Real{0});
  linear_backward({tokens(), c.d_ff, c.d_model}, l.hidden, parameters.at(at.down),
                  branch_gradient(*this, {number, DropoutPlace::Branch::mlp}, d.residual), d.hidden,
                  d.parameters + at.down);
  if (stop.stop_requested()) return;
  if (c.mlp == MlpKind::swiglu) {
    swiglu_backward(hidden, l.gate, l.up, d.hidden, d.gate, d.up);
    linear_backward(widen, l.middle_normed, parameters.at(at.gate), d.gate, d.normed, d.parameters + at.gate);
  } else {
    gelu_backward(hidden, l.up, d.hidden, d.up);
  }
  if (stop.stop_requested()) return;
  linear_backward(widen, l.middle_normed, parameters.at(at.up), d.up, d.normed, d.parameters + at.up);
  RmsNorm<Real>{tokens(), c.d_model, static_cast<Real>(c.eps)}.backward(
      l.middle, parameters.at(at.post_norm), l.middle_r, d.normed, d.residual, d.parameters + at.post_norm);
}

template void LayerPass<float>::transform(Index, float*) const;
template void LayerPass<double>::transform(Index, double*) const;
template void LayerPass<float>::transform_backward(Index) const;
template void LayerPass<double>::transform_backward(Index) const;

}  // namespace vqscope
