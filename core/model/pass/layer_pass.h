// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/linear_vq_attention.h"
#include "core/model/layer/dropout.h"
#include "core/model/pass/activations.h"
#include "core/model/pass/carried_state.h"
#include "core/model/pass/pass_tables.h"

#include <utility>

namespace vqscope {

/// Sums of one layer over some rows.
struct LayerSums {
  double commit = 0;    ///< squared distances of keys to their codewords
  double on_cache = 0;  ///< weights on the keys of the cache, over heads and counted labels
};

/// The pass of some rows of a batch through the layers. attend and transform are the two halves of
/// a layer, forward and backward:
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
  const std::stop_token& stop;                ///< checked between products; after a stop results are unused
  const TrainingNoise* noise = nullptr;       ///< null: nothing is left out
  std::span<const std::int32_t> labels = {};  ///< of these rows; may be empty

  Index carried = 0;                    ///< keys that the arrays have room for before the first query
  CarriedState<Real>* state = nullptr;  ///< null: the rows are whole sequences

  Index tokens() const { return rows.size() * length; }
  /// Keys before the first query.
  Index kept() const { return state ? state->kept() : 0; }
  bool by_codes() const;
  const LayerOffsets& offsets(Index layer) const { return parameters.layout->layers[static_cast<std::size_t>(layer)]; }
  const LayerActivations<Real>& layer(Index number) const { return a.layers[static_cast<std::size_t>(number)]; }
  bool drops_out() const { return noise && noise->dropout > 0; }
  bool leaves_out(Index layer) const { return noise && noise->drops_layer(layer); }

  AttentionShape attention_shape() const;
  LinearVqShape linear_vq_shape() const { return {attention_shape(), config.n_code}; }

  /// Adds to the sums of the layer.
  void attend(Index layer, LayerSums& sums) const;
  /// The middle of attend(): computes weights and context from projected queries and keys, and
  /// values. Adds to the sums of the layer.
  void mix(Index layer, LayerSums& sums) const;
  /// `output` [tokens, d_model] may be the layer's input.
  void transform(Index layer, Real* output) const;

  /// Turns a.d.residual, the gradient by the output of the half, into that by its input.
  /// `commit_scale` is the factor of Σ |k - c|² in the loss.
  void transform_backward(Index layer) const;
  void attend_backward(Index layer, Real commit_scale) const;
  /// Computes a.d.v and the gradients by the projections from a.d.context; returns pointers to the
  /// gradients by projected queries and keys.
  std::pair<const Real*, const Real*> mix_backward(Index layer, Real commit_scale) const;
};

/// The middle of a layer with a state, for one row. join() writes a.joined_k and the others of that name; keep() what
/// the state has after the segment, apart from the totals by code.
template <class Real>
void join(const LayerPass<Real>& pass, Index layer, Index row);
template <class Real>
void keep_latest(const LayerPass<Real>& pass, Index layer, Index row);
/// The operands of joined keys; `totals` of the cache.
template <class Real>
void use_joined(const LayerPass<Real>& pass, Index layer, Index row, LinearVqOperands<Real>& in);
template <class Real>
void use_joined(const LayerPass<Real>& pass, AttentionOperands<Real>& in);
/// Lets the gradients of joined keys and values begin at 0, and then adds them to those of the row.
template <class Real>
void begin_joined_gradients(const LayerPass<Real>& pass, AttentionGradient<Real>& d);
template <class Real>
void add_joined_gradients(const LayerPass<Real>& pass, Index row);

/// Number of queries per block of attention: a block of the VQ form, so that gradients can end at
/// its borders.
Index attention_block(const TransformerConfig& config, Index length, Index carried = 0);

/// Whether attention takes old keys grouped by code: VQ attention with a cache does, where this is
/// less work and the weight of every key is not needed, or where earlier keys are known by code alone.
bool attends_by_codes(const TransformerConfig& config, Index length, Keep keep, Index carried = 0);

/// Number of weights per query: the widest span of keys that a block of queries can have, or near
/// keys and codes.
Index attention_columns(const TransformerConfig& config, Index length, Keep keep, Index carried = 0);

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

/// A single-head gated attention unit (SHGA: Lingle 2023, section 3.1; GAU: Hua et al. 2022), which
/// replaces the two halves of LayerPass. With x̃ = RMSNorm(x) and silu(z) = z sigmoid(z):
///   q, k = RMSNorm(x̃ Wqᵀ), RMSNorm(x̃ Wkᵀ), without weights, each times d_k^(-1/4)      v = silu(x̃ Wvᵀ)      g = x̃ Wgᵀ
///   output = x + (attention(q, k, v) ∘ silu(g)) Woᵀ
/// `output` [tokens, d_model] may be the layer's input. Adds to the sums of the layer.
template <class Real>
void attend_gated(const LayerPass<Real>& pass, Index layer, Real* output, LayerSums& sums);
/// As LayerPass::attend_backward.
template <class Real>
void attend_gated_backward(const LayerPass<Real>& pass, Index layer, Real commit_scale);

}  // namespace vqscope
