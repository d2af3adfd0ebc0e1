// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/layer_views.h"

#include "core/base/sentence.h"
#include "core/method/free_name.h"

namespace vqscope {

Result<ParameterValues> mask_of_layer(const ModelLayer& layer) {
  ParameterValues values;
  const auto mask = [&](std::string name, Index window) {
    values.set("mask", std::move(name));
    values.set("sliding_window", window);
  };
  const auto free = [&](std::string_view name, Index value) { values.set(free_name_key(name), value); };
  switch (layer.attention) {
    case LayerAttention::full: mask(layer.two_sided ? "bidirectional" : "causal", 0); return values;
    case LayerAttention::sliding:
      if (!layer.two_sided) {
        mask("sliding_window", layer.window);
        return values;
      }
      mask("two_sided_window", 0);
      free("left", layer.window / 2);
      free("right", layer.window / 2);
      return values;
    case LayerAttention::chunked:
      mask("chunked", 0);
      free("chunk_size", layer.window);
      return values;
    case LayerAttention::compressed:
      if (layer.topk == 0)
        return invalid("this layer reads entries of {} tokens each beside its window, so it has no mask of keys",
                       layer.compress_ratio);
      [[fallthrough]];
    case LayerAttention::sparse:
      return invalid(
          "which keys a query of this layer reads depends on the text: an indexer selects them, so the layer "
          "has no mask of its own");
    case LayerAttention::state:
    case LayerAttention::none: break;
  }
  return invalid("this layer has {} instead of attention, so it has no mask",
                 layer.attention == LayerAttention::state ? "a recurrent state" : "no mixing of tokens");
}

Result<LayerPositions> positions_of_layer(const LayerSchedule& schedule, Index layer) {
  const ModelLayer& shown = schedule.layers[static_cast<std::size_t>(layer)];
  if (shown.rope >= 0) {
    const LayerRope& rope = schedule.ropes[static_cast<std::size_t>(shown.rope)];
    LayerPositions view{"rope_phase", rope_scaling_values(rope.scaling)};
    view.values.set("pair_layout", std::string(name_of(rope.pair_layout)));
    return view;
  }
  if (shown.positions == "alibi") return LayerPositions{"alibi", {}};
  if (shown.positions == "t5") return LayerPositions{"t5_bucket", {}};
  if (shown.positions == "learned") return LayerPositions{"learned_absolute", {}};
  if (shown.positions == "sinusoidal") return LayerPositions{"sinusoidal", {}};
  return invalid("layer {} has no RoPE: its positions are {}", layer,
                 shown.positions.empty() ? "none" : shown.positions);
}

}  // namespace vqscope
