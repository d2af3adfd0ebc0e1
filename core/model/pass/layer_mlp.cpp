// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/activation.h"
#include "core/model/layer/linear.h"
#include "core/model/layer/rms_norm.h"
#include "core/model/pass/branch_dropout.h"

#include <algorithm>

namespace vqscope {

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
