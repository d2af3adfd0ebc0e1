// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/linear_vq_attention.h"
#include "core/model/layer/dropout.h"
#include "core/model/pass/activations.h"
#include "core/model/pass/pass_tables.h"

#include <utility>

namespace vqscope {

/// Some rows of a batch on their way through the layers. attend and transform are the two halves of a layer, forward
/// and backward:
///   middle = input + Attention(RMSNorm(input))       output = middle + Mlp(RMSNorm(middle))
template <class Real>
struct LayerPass {
  const TransformerConfig& config;
  const Parameters<Real>& parameters;
  const PassTables<Real>& tables;
  Range rows;
  Index length = 0;
  Keep keep = Keep::everything;
  Activations<Real>& a;
  const std::stop_token& stop;           ///< heard between the products of a layer: what is left is not used
  const TrainingNoise* noise = nullptr;  ///< null: nothing is left out

  Index tokens() const { return rows.size() * length; }
  const LayerOffsets& offsets(Index layer) const { return parameters.layout->layers[static_cast<std::size_t>(layer)]; }
  const LayerActivations<Real>& layer(Index number) const { return a.layers[static_cast<std::size_t>(number)]; }
  bool drops_out() const { return noise && noise->dropout > 0; }
  bool leaves_out(Index layer) const { return noise && noise->drops_layer(layer); }

  AttentionShape attention_shape() const;
  LinearVqShape linear_vq_shape() const { return {attention_shape(), config.n_code}; }

  /// Adds what the layer's keys lie apart from their codewords, squared, to `commit`.
  void attend(Index layer, double& commit) const;
  /// The middle of it: projected queries and keys, and values, become weights and context.
  double mix(Index layer) const;
  /// `output` [tokens, d_model] may be the layer's input.
  void transform(Index layer, Real* output) const;

  /// a.d.residual, the gradient by the layer's output, becomes the one by what came before. `commit_scale`: of the
  /// commitment loss by Σ |k - c|².
  void transform_backward(Index layer) const;
  void attend_backward(Index layer, Real commit_scale) const;
  /// a.d.context becomes a.d.v and the gradients by the projections; returns where those by queries and keys are.
  std::pair<const Real*, const Real*> mix_backward(Index layer, Real commit_scale) const;
};

/// Queries that attention takes at a time: a block of the VQ form, so that gradients can end at its borders.
Index attention_block(const TransformerConfig& config, Index length);

/// Whether attention takes old keys by their codes: VQ attention with a cache does, where this is less work and nobody
/// asks for the weight of every key.
bool attends_by_codes(const TransformerConfig& config, Index length, Keep keep);

/// Weights of one query: of the widest span of keys that a block of queries can have, or of keys and codes.
Index attention_columns(const TransformerConfig& config, Index length, Keep keep);

}  // namespace vqscope
