// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vqscope {

/// How the model knows about position.
enum class PositionKind {
  nope,
  sinusoidal,
  learned,
  relative_bias,  ///< a bias of bias_methods(): TransformerConfig::relative_bias
  t5_bias,        ///< a table by bucket of distance, shared by the layers
  fire,           ///< a small network of distance and position as a bias (Li et al. 2023)
  rope,
  xpos,
  xl,  ///< learnt products with sinusoids of the distance (Transformer-XL, Dai et al. 2019, section 3.3)
  vq
};
/// Which keys a query attends to, and what its keys are.
enum class AttentionKind {
  full,    ///< every key up to the query
  window,  ///< the latest `window` keys, including the query's own
  mask,    ///< the keys up to the query that `mask` lets it see
  vq,      ///< every key, each replaced by its nearest codeword (Transformer-VQ, Lingle 2023, section 3)
  // Sequences in segments of `segment` tokens: the keys of the query's segment up to the query, and
  xl,             ///< the `memory` tokens before it, as constants (Transformer-XL, Dai et al. 2019, section 3.2)
  memorizing,     ///< `top_k` retrieved keys of earlier segments, as constants (Wu et al. 2022, section 3)
  infini_linear,  ///< a matrix of all earlier keys and values (Munkhdalai et al. 2024, section 2)
  infini_delta    ///< the same, after subtracting what the matrix held under the key
};
enum class MlpKind { swiglu, gelu };
/// The parts of a layer.
enum class ModelLayerKind {
  transformer,  ///< attention and an MLP (Vaswani et al. 2017)
  shga          ///< two gated attention units of one head (Hua et al. 2022; Lingle 2023, section 3), without an MLP
};
/// Codewords through which the gradient of the loss reaches the keys they replace; the forward pass
/// is the same.
enum class VqGradient {
  dense_ste,      ///< all of them
  through_cache,  ///< those of the query's block and the block before; all values
  truncated       ///< as through_cache, but within the query's window of `backprop_blocks` blocks
};

/// A decoder-only transformer like Llama: every value that determines its shape and its arithmetic.
/// The names are the keys of a config in JSON.
struct TransformerConfig {
  Index vocab = 256;
  Index d_model = 64;
  Index n_layers = 2;
  Index n_heads = 4;
  Index n_kv_heads = 4;
  Index head_dim = 16;
  Index d_ff = 128;
  ModelLayerKind layer_kind = ModelLayerKind::transformer;
  Index d_v = 0;      ///< shga: width of values and gates; head_dim is d_k in JSON
  double eps = 1e-6;  ///< of RMSNorm
  double embed_scale = 1;
  MlpKind mlp = MlpKind::swiglu;
  bool qk_bias = false;  ///< learnt vectors a and b that are added to queries and keys (Su 2023, RoPE + bias)
  bool tie_word_embeddings = false;  ///< the head is the token embedding
  PositionKind pos = PositionKind::rope;
  PositionKind bias = PositionKind::nope;  ///< a bias in addition to rotation; nope: none
  std::string relative_bias = {};          ///< of pos or bias relative_bias: the id of the method
  AttentionKind attn = AttentionKind::full;

  double rope_theta = 10000;
  std::string rope_scaling = "default";  ///< default, linear, ntk, yarn
  double rope_factor = 1;
  Index original_max_position = 64;  ///< yarn: the training length
  double yarn_beta_slow = 1;         ///< yarn: turns within the training length up to which a pair is interpolated
  double yarn_beta_fast = 32;        ///< yarn: turns from which a pair is unchanged
  Index rerope_window = 0;           ///< 0: none; else larger distances count as this, evaluation only
  double xpos_gamma = 0.4;
  double xpos_scale_base = 512;
  double xl_base = 10000;  ///< pos xl: of the sinusoids of the distance
  Index max_pos = 1024;    ///< learned: rows of the table
  Index t5_buckets = 32;
  Index t5_max_distance = 128;
  Index sandwich_dim = 128;
  double fire_threshold = 512;  ///< fire: position up to which queries are normalised alike, before training

  Index window = 0;      ///< window: keys a query attends to
  std::string mask;      ///< mask: a text of the mask language without free names
  Index n_code = 32;     ///< vq: codewords of a head
  Index block_len = 16;  ///< vq: tokens per block; largest distance with a bias of its own
  bool cache = true;     ///< vq: false: only distances up to block_len are attended to
  double commit_beta = 1e-4;
  double ema_gamma = 0.99;
  VqGradient grad_mode = VqGradient::through_cache;
  Index backprop_blocks = 1;  ///< vq, truncated: blocks of a window that no gradient leaves (W / L of the paper)

  Index segment = 0;                      ///< xl, memorizing, infini: tokens of a segment
  Index memory = 0;                       ///< xl: tokens before the segment; memorizing: tokens held, 0: all
  bool same_length = false;               ///< xl: a query sees the latest `memory` keys, its own too
  Index clamp_len = 0;                    ///< pos xl: larger distances count as this; 0: no clamping
  Index top_k = 8;                        ///< memorizing: keys that a query retrieves
  std::vector<Index> memory_layers = {};  ///< memorizing: layers that retrieve, ascending; empty: the last

  Index query_width() const { return n_heads * head_dim; }
  Index key_width() const { return n_kv_heads * head_dim; }
  bool gated() const { return layer_kind == ModelLayerKind::shga; }
  /// Attention layers: two per layer of gated units. Layer numbers count attention layers.
  Index attention_layers() const { return gated() ? 2 * n_layers : n_layers; }
  Index value_dim() const { return gated() ? d_v : head_dim; }
  Index value_width() const { return n_kv_heads * value_dim(); }
  Index context_width() const { return n_heads * value_dim(); }
  /// Whether queries and keys are normalised and include the scale of scores.
  bool normalises() const { return gated() || quantises(); }
  /// The bias added to scores; nope: none.
  PositionKind score_bias() const { return rotates() ? bias : pos; }
  bool rotates() const { return pos == PositionKind::rope || pos == PositionKind::xpos; }
  bool quantises() const { return attn == AttentionKind::vq; }
  /// Rotation counts distances from here on as this one: ReRoPE, and VQ attention with a cache, whose
  /// codes have no place; 0: it counts every distance.
  Index far_distance() const { return quantises() ? (cache && rotates() ? block_len : 0) : rerope_window; }
  /// Distances that biases and products with distances tell apart, out of `length`: VQ attention
  /// takes all above block_len for one.
  Index distances(Index length) const { return quantises() ? std::min(length, block_len + 2) : length; }
  bool in_segments() const { return attn >= AttentionKind::xl; }
  /// Infini-attention with either rule.
  bool compresses() const { return attn == AttentionKind::infini_linear || attn == AttentionKind::infini_delta; }
  /// Whether a gate mixes what a layer recalls from earlier segments with the attention within the
  /// segment. Recall uses queries and keys before rotation.
  bool recalls() const { return compresses() || attn == AttentionKind::memorizing; }
  bool recalls(Index layer) const;
  Index segment_begin(Index token) const { return in_segments() ? token - token % segment : 0; }

  /// Refuses sizes that do not match and choices that exclude each other.
  Result<void> check() const;

  friend bool operator==(const TransformerConfig&, const TransformerConfig&) = default;
};

/// Turns layers of attention and MLP into pairs of single-head gated units with about as many
/// parameters. Where they are 0, d_k becomes the previous head_dim, and d_v follows from n_heads
/// and d_ff:
///   2 d_model (2 d_k + 3 d_v) = d_model (2 heads + 2 kv heads) head_dim + d_model d_ff (3 for SwiGLU, 2 for GELU)
/// d_v is at least 1.
void use_gated_layers(TransformerConfig& config, Index d_k = 0, Index d_v = 0);

}  // namespace vqscope
