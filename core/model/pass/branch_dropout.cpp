// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/linear.h"
#include "core/model/pass/layer_pass.h"

namespace vqscope {

template <class Real>
void LayerPass<Real>::add_branch(const DropoutPlace& place, Index width, const Real* x, const Real* weights,
                                 Real* out) const {
  const LinearShape shape{tokens(), width, config.d_model};
  if (!drops_out()) return linear(shape, x, weights, out, true);
  linear(shape, x, weights, a.branch);
  add_kept(*noise, place, rows.begin * length, tokens(), config.d_model, a.branch, out);
}

template <class Real>
const Real* LayerPass<Real>::branch_gradient(const DropoutPlace& place, const Real* gradient) const {
  if (!drops_out()) return gradient;
  replace_by_kept(*noise, place, rows.begin * length, tokens(), config.d_model, gradient, a.branch);
  return a.branch;
}

template <class Real>
void LayerPass<Real>::drop_embeddings(Real* x) const {
  const DropoutPlace embeddings{0, DropoutPlace::Branch::embedding};
  if (drops_out()) replace_by_kept(*noise, embeddings, rows.begin * length, tokens(), config.d_model, x, x);
}

template void LayerPass<float>::add_branch(const DropoutPlace&, Index, const float*, const float*, float*) const;
template void LayerPass<double>::add_branch(const DropoutPlace&, Index, const double*, const double*, double*) const;
template const float* LayerPass<float>::branch_gradient(const DropoutPlace&, const float*) const;
template const double* LayerPass<double>::branch_gradient(const DropoutPlace&, const double*) const;
template void LayerPass<float>::drop_embeddings(float*) const;
template void LayerPass<double>::drop_embeddings(double*) const;

}  // namespace vqscope
