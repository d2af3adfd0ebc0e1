// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// Adds x Wᵀ, after dropout, to `out` [tokens, d_model]; x [tokens, width].
template <class Real>
void add_branch(const LayerPass<Real>& pass, const DropoutPlace& place, Index width, const Real* x, const Real* weights,
                Real* out);

/// The gradient by a branch, from the gradient by the sum that the branch was added to.
template <class Real>
const Real* branch_gradient(const LayerPass<Real>& pass, const DropoutPlace& place, const Real* gradient);

/// Applies dropout to the token embeddings, or to their gradient, in place.
template <class Real>
void drop_embeddings(const LayerPass<Real>& pass, Real* x);

}  // namespace vqscope
