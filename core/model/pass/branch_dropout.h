// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// Adds x Wᵀ to `out` [tokens, d_model], x [tokens, width]; what dropout leaves of it.
template <class Real>
void add_branch(const LayerPass<Real>& pass, const DropoutPlace& place, Index width, const Real* x, const Real* weights,
                Real* out);

/// The gradient of a branch by that of what it was added to.
template <class Real>
const Real* branch_gradient(const LayerPass<Real>& pass, const DropoutPlace& place, const Real* gradient);

/// What dropout leaves of the token embeddings, or of their gradient, in its place.
template <class Real>
void drop_embeddings(const LayerPass<Real>& pass, Real* x);

}  // namespace vqscope
