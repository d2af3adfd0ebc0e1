// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/compressive_memory.h"
#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// What a layer recalls of earlier segments and how it is mixed with the attention within the segment:
///   context = g · recalled + (1 - g) · near,   g = sigmoid(gate of the head)
/// A Memorizing Transformer has no gate in the first segment, where nothing is stored.

/// layer.near_context becomes layer.context.
template <class Real>
void recall(const LayerPass<Real>& pass, Index layer);

/// a.d.context becomes the gradient by near_context, in place, and a.d.recalled; the gates' is added.
template <class Real>
void recall_gate_backward(const LayerPass<Real>& pass, Index layer);

/// Adds what a.d.recalled says to a.d.q, a.d.k and a.d.v, which are those by the projections.
template <class Real>
void recall_backward(const LayerPass<Real>& pass, Index layer);

RetrievalShape retrieval_shape(const TransformerConfig& config, Index length);
CompressiveShape compressive_shape(const TransformerConfig& config, Index length);

}  // namespace vqscope
