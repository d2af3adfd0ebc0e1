// SPDX-License-Identifier: GPL-3.0-or-later
// What the code of each model_type does that its config.json need not say. One row a model_type, in
// model_families_*.cpp.
#pragma once

#include "core/config/report/config_report.h"

#include <span>

namespace vqscope {

/// Which layers see how much, where the config lists no layer_types.
enum class LayerRule {
  uniform,     ///< all layers are alike
  windowed,    ///< sliding_window, if given, is that of every layer
  switched,    ///< the same from max_window_layers on, if use_sliding_window is true
  last_full,   ///< the last of `period` layers is full, the others have the window
  first_full,  ///< the first of `period` layers is full
  chunked,     ///< layers with RoPE see their chunk of attention_chunk_size keys, the others everything
  recurrent    ///< the last of `period` layers attends, the others have a state; 0: the config lists them
};

/// Attention layers without RoPE in a model that has it.
enum class LayersWithoutRope { none, full, listed };  ///< listed: no_rope_layers, 0 where a layer has none

struct ModelFamily {
  std::string_view model_type;  ///< empty: not known
  std::string_view source;      ///< the class whose defaults these are; "" with remote code: the model's repository
  PositionScheme kind = PositionScheme::unknown;
  Index hidden_size = 0;  ///< defaults of the class; 0: none that is known
  Index heads = 0;
  Index head_dim = 0;  ///< 0: hidden_size / heads
  Index positions = 0;
  Index layers = 0;
  std::string_view positions_key = "";  ///< where the length stands; empty: under one of the usual names
  Index reserved = 0;                   ///< learned: rows of the table that are no positions
  double theta = 10000;
  double local_theta = 0;  ///< of layers with a window, which have no scaling then; 0: as all
  double rotated = 1;      ///< fraction of a head
  bool interleaved = false;
  bool unscaled_windows = false;  ///< the scaling is for full layers alone
  bool alpha = false;             ///< dynamic with alpha: rope_theta · alpha^(d / (d - 2)) for every length
  bool mscales = false;           ///< longrope: cos and sin are multiplied by short_mscale or long_mscale
  LayerRule rule = LayerRule::uniform;
  Index window = 0;  ///< default of sliding_window
  Index period = 0;
  LayersWithoutRope without_rope = LayersWithoutRope::none;
  std::string_view note = "";  ///< for people, without a full stop

  bool known() const { return !model_type.empty(); }
  bool remote() const { return known() && source.empty(); }
};

/// The row of a model_type; one without a model_type where there is none.
const ModelFamily& find_model_family(std::string_view model_type);

/// The row whose class this one of `architectures` goes with: LlamaForCausalLM that of LlamaConfig.
const ModelFamily& find_family_of_class(std::string_view architecture);

/// The model_type of the text model inside a config of this model_type, where its object names none; empty: not known.
std::string_view inner_model_type(std::string_view model_type);

/// The rows, in several tables.
std::span<const ModelFamily> rope_families();
std::span<const ModelFamily> hybrid_families();
std::span<const ModelFamily> remote_families();
std::span<const ModelFamily> table_families();
std::span<const ModelFamily> other_families();

}  // namespace vqscope
