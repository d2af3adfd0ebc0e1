// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/branch_dropout.h"

#include "core/model/layer/linear.h"

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

}  // namespace vqscope
