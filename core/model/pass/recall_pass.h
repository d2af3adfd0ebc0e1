// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/compressive_memory.h"
#include "core/model/pass/layer_pass.h"

namespace vqscope {

/// What a layer recalls of earlier segments and how it is mixed with the attention within the segment:
///   context = g · recalled + (1 - g) · near,   g = sigmoid(gate of the head)
/// A Memorizing Transformer has no gate in the first segment, where nothing is stored.

/// Computes layer.context from layer.near_context.
template <class Real>
void recall(const LayerPass<Real>& pass, Index layer);

/// Turns a.d.context into the gradient by near_context, in place, writes a.d.recalled and adds to
/// the gates' gradient.
template <class Real>
void recall_gate_backward(const LayerPass<Real>& pass, Index layer);

/// Adds the gradients through a.d.recalled to a.d.q, a.d.k and a.d.v, the gradients by the
/// projections.
template <class Real>
void recall_backward(const LayerPass<Real>& pass, Index layer);

RetrievalShape retrieval_shape(const TransformerConfig& config, Index length);
CompressiveShape compressive_shape(const TransformerConfig& config, Index length);

}  // namespace vqscope
