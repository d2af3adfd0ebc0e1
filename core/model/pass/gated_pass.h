// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// A single-head gated attention unit (SHGA: Lingle 2023, section 3.1; GAU: Hua et al. 2022), which
/// replaces the two halves of LayerPass. With x̃ = RMSNorm(x) and silu(z) = z sigmoid(z):
///   q, k = RMSNorm(x̃ Wqᵀ), RMSNorm(x̃ Wkᵀ), without weights, each times d_k^(-1/4)      v = silu(x̃ Wvᵀ)      g = x̃ Wgᵀ
///   output = x + (attention(q, k, v) ∘ silu(g)) Woᵀ
/// `output` [tokens, d_model] may be the layer's input. Adds the squared distances of keys to their
/// codewords to `commit`.
template <class Real>
void attend_gated(const LayerPass<Real>& pass, Index layer, Real* output, double& commit);
/// As LayerPass::attend_backward.
template <class Real>
void attend_gated_backward(const LayerPass<Real>& pass, Index layer, Real commit_scale);

}  // namespace vqscope
