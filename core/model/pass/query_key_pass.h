// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// Operations on queries and keys between their projections and the scores: rotation, the norm of
/// VQ and gated attention, and the codebook of VQ attention.

/// Destinations of the projections of queries and keys.
template <class Real>
Real* projected_queries(const LayerActivations<Real>& layer) {
  return layer.plain_q ? layer.plain_q : layer.q;
}
template <class Real>
Real* projected_keys(const LayerActivations<Real>& layer) {
  return layer.plain_k ? layer.plain_k : layer.k;
}

/// Returns Σ |k - c|², 0 where nothing is quantised.
template <class Real>
double place_queries_and_keys(const LayerPass<Real>& pass, Index layer);

/// Turns a.d.q and a.d.k, the gradients by the queries and keys of the scores, into those by the
/// projections: in place, or in a.d.plain_q and a.d.plain_k.
template <class Real>
void queries_and_keys_backward(const LayerPass<Real>& pass, Index layer, Real commit_scale);

}  // namespace vqscope
