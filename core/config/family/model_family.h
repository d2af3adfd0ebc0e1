// SPDX-License-Identifier: GPL-3.0-or-later
// Behaviour of the code for each model_type that its config.json need not state. One row per
// model_type, in model_families_*.cpp.
#pragma once

#include "core/config/report/config_report.h"

#include <array>
#include <span>

namespace vqscope {

/// How far each layer sees, if the config lists no layer_types.
enum class LayerRule {
  uniform,      ///< all layers are alike
  windowed,     ///< sliding_window, if given, applies to every layer
  switched,     ///< the same from max_window_layers on, if use_sliding_window is true
  alternating,  ///< every other layer, from the first up to max_window_layers, if use_sliding_window is true
  last_full,    ///< the last of `period` layers is full, the others have the window
  first_full,   ///< the first of `period` layers is full
  ends_full,    ///< the very first layer and the last of `period` are full
  compresses,   ///< every layer compresses its cache (DeepSeek V4), if the config lists no ratios
  chunked,      ///< layers with RoPE see their chunk of attention_chunk_size keys, others all
  recurrent,    ///< last of `period` layers attends, others have a state; 0: the config lists them
  stateful      ///< no layer attends, each has a state
};

/// Attention layers without RoPE in a model that has it.
enum class LayersWithoutRope {
  none,
  full,        ///< those without a window, if the config has one
  unwindowed,  ///< those without a window, also if that is every layer
  listed       ///< by no_rope_layers
};

/// Layers with a learned logit in the denominator of the softmax, unless the config sets another.
enum class LayerSinks { none, sliding, all };

/// Defaults of a class with multi-head latent attention; 0: its attention is another one.
struct LatentSizes {
  Index qk_rope_head_dim = 0, qk_nope_head_dim = 0, v_head_dim = 0, kv_lora_rank = 0;
};

struct ModelFamily {
  std::string_view model_type;  ///< empty: not known
  std::string_view source;      ///< the class with these defaults; empty: remote code
  PositionScheme kind = PositionScheme::unknown;
  Index hidden_size = 0;  ///< default of the class, like the next ones; 0: unknown
  Index heads = 0;
  Index key_value_heads = 0;  ///< 0: heads
  Index head_dim = 0;         ///< 0: hidden_size / heads
  Index full_head_dim = 0;    ///< of layers without a window, if they have other heads
  Index positions = 0;
  Index layers = 0;
  std::string_view positions_key = "";  ///< key of the length; empty: one of the usual names
  Index reserved = 0;                   ///< learned: rows of the table that are not positions
  double theta = 10000;
  double local_theta = 0;  ///< of layers with a window, then unscaled; 0: like all layers
  double rotated = 1;      ///< rotated fraction of a head
  bool interleaved = false;
  bool unscaled_windows = false;  ///< the scaling applies to full layers only
  bool alpha = false;             ///< dynamic with alpha: rope_theta · alpha^(d / (d - 2)) for every length
  bool plain_yarn = false;        ///< yarn: cos and sin are not multiplied unless attention_factor is given
  std::array<Index, 3> axes{};    ///< default of mrope_section
  bool height_first = false;      ///< sections are height and width, which alternate, then time
  bool mixed_axes = false;        ///< M-RoPE is interleaved whatever the value of mrope_interleaved
  bool mscales = false;           ///< longrope: cos and sin are multiplied by short_mscale or long_mscale
  LayerRule rule = LayerRule::uniform;
  Index window = 0;  ///< default of sliding_window
  Index period = 0;
  LayersWithoutRope without_rope = LayersWithoutRope::none;
  bool null_nope = false;     ///< layers whose scaling is null in rope_parameters have no RoPE
  bool dense_prefix = false;  ///< the layers before first_k_dense_replace have a pattern of windows of their own
  LayerSinks sinks = LayerSinks::none;
  bool tempered = false;       ///< layers without RoPE scale their queries by the position
  Index shared_layers = 0;     ///< default of num_kv_shared_layers
  LatentSizes latent;          ///< of what a config leaves out
  Index attentions = 1;        ///< in each layer, with caches of their own
  Index topk = 0;              ///< default of index_topk; 0: without the key nothing is selected
  Index index_dim = 0;         ///< default of index_head_dim
  std::string_view note = "";  ///< for display, without a full stop

  bool known() const { return !model_type.empty(); }
  bool remote() const { return known() && source.empty(); }
};

/// The row of a model_type; one without a model_type if it is unknown.
const ModelFamily& find_model_family(std::string_view model_type);

/// The row for one of `architectures`: that of LlamaConfig for LlamaForCausalLM, that of
/// Gemma3TextConfig for Gemma3ForConditionalGeneration; one without a model_type if no class of
/// that name is known.
const ModelFamily& find_family_of_class(std::string_view architecture);

/// The model_type of the text model inside a config of this model_type, if its object names none;
/// empty: unknown.
std::string_view inner_model_type(std::string_view model_type);

/// The rows, in several tables.
std::span<const ModelFamily> rope_families();
std::span<const ModelFamily> hybrid_families();
std::span<const ModelFamily> remote_families();
std::span<const ModelFamily> table_families();
std::span<const ModelFamily> other_families();

}  // namespace vqscope
