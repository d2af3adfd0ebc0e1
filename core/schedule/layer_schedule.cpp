// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/layer_schedule.h"

#include "core/base/sentence.h"

namespace vqscope {

std::string name_of(LayerAttention attention) {
  switch (attention) {
    case LayerAttention::full: return "full";
    case LayerAttention::sliding: return "sliding";
    case LayerAttention::chunked: return "chunked";
    case LayerAttention::state: return "state";
    case LayerAttention::sparse: return "sparse";
    case LayerAttention::compressed: return "compressed";
    case LayerAttention::none: return "none";
  }
  return {};
}

bool selects_keys(const ModelLayer& layer) {
  return layer.attention == LayerAttention::sparse || (layer.attention == LayerAttention::compressed && layer.topk > 0);
}

Result<void> LayerSchedule::check() const {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const ModelLayer& layer = layers[i];
    const bool windowed = layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked;
    if (windowed && layer.window < 1)
      return invalid("layer {} is {} with a window of {} but must be 1 or more", i, name_of(layer.attention),
                     layer.window);
    if (layer.attention == LayerAttention::compressed && layer.compress_ratio < 1)
      return invalid("layer {} is compressed with a ratio of {} but must be 1 or more", i, layer.compress_ratio);
    if (layer.rope < -1 || layer.rope >= static_cast<int>(ropes.size()))
      return invalid("layer {} has RoPE number {}, of which there are {}", i, layer.rope, ropes.size());
    if (layer.shares_kv_with < -1 || layer.shares_kv_with >= static_cast<int>(i))
      return invalid("layer {} shares the keys and values of layer {} but must be an earlier one", i,
                     layer.shares_kv_with);
  }
  for (const auto& rope : ropes)
    if (auto fits = rope.scaling.check(); !fits) return fits;
  return {};
}

}  // namespace vqscope
