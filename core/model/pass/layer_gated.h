// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// Single-head gated attention (Lingle 2023, section 3.1; Hua et al. 2022): with x̃ = RMSNorm(x),
///   q, k = RMSNorm(x̃ Wqᵀ), RMSNorm(x̃ Wkᵀ), each times d_k^(-1/4)      v = silu(x̃ Wvᵀ)      g = x̃ Wgᵀ
///   y = x + (attention(q, k, v) ∘ silu(g)) Woᵀ
/// in the place of a layer's two halves. `output` [tokens, d_model]. Adds what keys lie apart from their codewords,
/// squared, to `commit`.
template <class Real>
void attend_gated(const LayerPass<Real>& pass, Index layer, Real* output, double& commit);

/// As attend_backward.
template <class Real>
void attend_gated_backward(const LayerPass<Real>& pass, Index layer, Real commit_scale);

}  // namespace vqscope
