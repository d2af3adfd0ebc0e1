// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// Transformer-XL's relative positions (Dai et al. 2019, section 3.3), within one sequence:
///   s_ij = ((q_i + u) · k_j + (q_i + v) · r_(i-j)) / √head_dim,   r = r_proj · sinusoids of the distance.
/// Where q and k are normalised and include the scale, u, v and r have the factor distance_scale.
/// Keys of a memory before the sequence would need larger distances and more rows of r.

/// q becomes q + u, and distance_q q + v.
template <class Real>
void place_distance_queries(const LayerPass<Real>& pass, Index layer);

/// a.d.q, the gradient by q + u, becomes the one by q; the gradients of u, v and r_proj are added to a.d.parameters.
template <class Real>
void distance_queries_backward(const LayerPass<Real>& pass, Index layer);

}  // namespace vqscope
