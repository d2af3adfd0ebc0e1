// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_ropes.h"

#include "core/config/config_layer_lists.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Whether a RoPE of `layers` is that of the layers of this name; DeepSeek V4 has one for two ways to compress.
bool is_of_layers(const std::string& layers, std::string_view name) {
  const bool compressed = name.find("compressed") != std::string_view::npos;
  if (layers.empty()) return true;
  if (layers == compressed_layers || layers == "compress") return compressed;
  return layers == name || usual_layer_name(layers) == name || (layers == "main" && !compressed);
}

}  // namespace

void assign_ropes(const std::vector<RopeUse>& ropes, LayerSchedule& schedule) {
  for (const RopeUse& use : ropes) schedule.ropes.push_back({.scaling = use.scaling, .pair_layout = use.pair_layout()});
  for (ModelLayer& layer : schedule.layers) {
    if (layer.rope < 0) continue;
    const auto own =
        std::ranges::find_if(ropes, [&](const RopeUse& use) { return is_of_layers(use.layers, layer.name); });
    layer.rope = own == ropes.end() ? 0 : static_cast<int>(own - ropes.begin());
    if (!ropes.empty()) continue;
    layer.rope = -1;
    layer.positions = "rope";
  }
}

}  // namespace vqscope
