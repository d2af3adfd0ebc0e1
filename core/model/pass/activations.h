// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/transformer_config.h"
#include "core/model/tensors/arena.h"

#include <vector>

namespace vqscope {

/// Values that the layers compute for some rows, kept for the backward pass if there is one. Null:
/// not needed. Comments state shapes; tokens are those of all rows.
template <class Real>
struct LayerActivations {
  Real* input = nullptr;         ///< [tokens, d_model]: the residual stream
  Real* input_r = nullptr;       ///< [tokens]: RmsNorm's r
  Real* input_normed = nullptr;  ///< [tokens, d_model]
  Real* q = nullptr;             ///< [tokens, heads · head_dim]: as the scores take it
  Real* k = nullptr;             ///< [tokens, kv heads · head_dim]
  Real* v = nullptr;             ///< [tokens, kv heads · value_dim]
  Real* distance_q = nullptr;    ///< xl: [tokens, heads · head_dim], as the products with distances take it
  Real* far_q = nullptr;         ///< vq with rotation: [tokens, heads · head_dim], as scores above block_len take it
  Real* rotated = nullptr;       ///< vq with rotation: the keys' codewords after it
  Real* plain_q = nullptr;       ///< vq, SHGA: before the norm; memorizing, infini: before rotation
  Real* plain_k = nullptr;
  Real* plain_v = nullptr;  ///< SHGA: before SiLU
  Real* q_r = nullptr;      ///< vq, SHGA: [tokens · heads]
  Real* k_r = nullptr;
  Real* quantised = nullptr;          ///< vq: the keys' codewords
  std::int32_t* codes = nullptr;      ///< vq: [rows, kv heads, length]
  Real* weights = nullptr;            ///< [rows, heads, length, columns]; not kept: [block, columns]
  Real* context = nullptr;            ///< [tokens, heads · value_dim]
  Real* near_context = nullptr;       ///< memorizing, infini: from the query's segment, before the gate
  Real* recalled = nullptr;           ///< and from earlier segments
  std::int32_t* retrieved = nullptr;  ///< memorizing: [rows, heads, length, top_k], key indices
  Real* retrieved_weights = nullptr;  ///< memorizing: their weights
  Real* states = nullptr;             ///< infini: [rows, all_states()], compressive memory
  Real* middle = nullptr;             ///< [tokens, d_model]: the residual stream after attention
  Real* middle_r = nullptr;
  Real* middle_normed = nullptr;
  Real* gate = nullptr;  ///< [tokens, d_ff]; SwiGLU only. SHGA: [tokens, d_v]
  Real* up = nullptr;
  Real* hidden = nullptr;  ///< [tokens, d_ff]. SHGA: [tokens, d_v], the gated context
};

/// Gradients of the backward pass; the layers reuse the same arrays.
template <class Real>
struct PassGradients {
  Real* residual = nullptr;  ///< [tokens, d_model]
  Real* normed = nullptr;    ///< [tokens, d_model]
  Real* q = nullptr;
  Real* k = nullptr;
  Real* v = nullptr;
  Real* plain_q = nullptr;  ///< vq, SHGA
  Real* plain_k = nullptr;
  Real* plain_v = nullptr;  ///< SHGA
  Real* context = nullptr;
  Real* recalled = nullptr;   ///< memorizing, infini
  Real* earlier_k = nullptr;  ///< xl: gradients by keys and values that later segments see
  Real* earlier_v = nullptr;
  Real* earlier_normed = nullptr;  ///< xl: [tokens, d_model]
  Real* bias = nullptr;            ///< [heads, distances]; FIRE: [heads, length, distances]
  Real* distance_q = nullptr;      ///< xl
  Real* distance_k = nullptr;      ///< xl: [distances, heads · head_dim]
  Real* far_q = nullptr;           ///< vq with rotation
  Real* far_k = nullptr;
  Real* joined_k = nullptr;  ///< vq with a CarriedState: of one row
  Real* joined_far_k = nullptr;
  Real* joined_v = nullptr;
  Real* parted = nullptr;  ///< xl, vq with rotation: [block, columns]
  Real* gate = nullptr;
  Real* up = nullptr;
  Real* hidden = nullptr;
  Real* logits = nullptr;      ///< [tokens, vocab]
  Real* parameters = nullptr;  ///< [learnt]
};

template <class Real>
struct Activations {
  std::vector<LayerActivations<Real>> layers;
  Real* output = nullptr;  ///< [tokens, d_model]: the residual stream after the last layer
  Real* output_r = nullptr;
  Real* output_normed = nullptr;
  Real* logits = nullptr;  ///< [tokens, vocab]
  Real* scores = nullptr;  ///< [block, columns]: scratch of attention
  Real* branch = nullptr;  ///< [tokens, d_model]: half of a layer, or its gradient, after dropout
  Real* far_q = nullptr;   ///< ReRoPE: [tokens, heads · head_dim]
  Real* far_k = nullptr;
  Real* stored_scores = nullptr;  ///< memorizing: [block, length]
  /// A pass with a CarriedState: keys and values of one row and layer after those that are kept, as LinearVqOperands
  /// and AttentionOperands take them; codes [kv heads, keys].
  Real* joined_k = nullptr;
  Real* joined_rotated = nullptr;  ///< vq with rotation; joined_k then has codewords before it
  Real* joined_v = nullptr;
  std::int32_t* joined_codes = nullptr;
  Real* on_cache = nullptr;  ///< vq with a cache: [heads, length], as in AttentionWeights, of one row and layer
  PassGradients<Real> d;
};

/// Activations that a pass keeps.
enum class Keep {
  logits,     ///< only logits: the layers share their arrays
  gradients,  ///< all that the backward pass needs
  everything  ///< also the weight of every key
};

struct ActivationShape {
  Index rows = 0;
  Index length = 0;
  Index block = 0;    ///< queries per block of attention
  Index columns = 0;  ///< weights per query
  Index learnt = 0;   ///< parameters that have a gradient
  Index carried = 0;  ///< keys before the first query, at most; 0: a pass without CarriedState
  Index states = 0;   ///< size of all states of a layer's compressive memory for one sequence
  Keep keep = Keep::everything;
};

template <class Real>
Activations<Real> lay_out(Arena& arena, const TransformerConfig& config, const ActivationShape& shape);

}  // namespace vqscope
