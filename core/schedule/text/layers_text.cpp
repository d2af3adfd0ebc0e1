// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layers_text.h"

#include "core/base/sentence.h"
#include "core/schedule/text/layer_attributes.h"

#include <algorithm>
#include <map>
#include <span>

namespace vqscope {
namespace {

using Texts = std::span<const std::string>;

/// "5*sliding:1024,full".
std::string runs_text(Texts layers) {
  std::string text;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t end = i;
    while (end < layers.size() && layers[end] == layers[i]) ++end;
    if (!text.empty()) text += ',';
    text += end - i > 1 ? fmt::format("{}*{}", end - i, layers[i]) : layers[i];
    i = end;
  }
  return text;
}

/// "10*(5*sliding:1024,full),2*sliding:1024" with the shortest period that repeats, or runs where that is shorter.
std::string repeated_text(Texts layers) {
  std::string best = runs_text(layers);
  for (std::size_t period = 2; period * 2 <= layers.size(); ++period) {
    if (!std::equal(layers.begin() + static_cast<std::ptrdiff_t>(period), layers.end(), layers.begin())) continue;
    const std::size_t times = layers.size() / period;
    std::string text = fmt::format("{}*({})", times, runs_text(layers.first(period)));
    if (times * period < layers.size()) text += "," + runs_text(layers.subspan(times * period));
    return text.size() < best.size() ? text : best;
  }
  return best;
}

/// The sizes that most attending layers have.
ModelLayer usual_layer(const LayerSchedule& schedule) {
  std::map<std::string, std::pair<Index, const ModelLayer*>> counts;
  const std::pair<Index, const ModelLayer*>* most = nullptr;
  for (const ModelLayer& layer : schedule.layers) {
    if (!attends(layer)) continue;
    auto& count = counts[sizes_text(layer, {})];
    count = {count.first + 1, &layer};
    if (!most || count.first > most->first) most = &count;
  }
  return most ? *most->second : ModelLayer{};
}

std::string rope_text(const LayerRope& rope) {
  const ParameterValues usual = rope_scaling_values({}), values = rope_scaling_values(rope.scaling);
  std::string text = "; rope";
  if (rope.pair_layout != PairLayout::half_split) text += fmt::format(" {}", name_of(rope.pair_layout));
  for (const auto& [name, value] : values.map())
    if (name == "rope_theta" || value != *usual.find(name)) text += fmt::format(" {}={}", name, format_value(value));
  return text;
}

}  // namespace

std::string layers_text(const LayerSchedule& schedule) {
  const ModelLayer usual = usual_layer(schedule);
  std::vector<std::string> layers;
  for (const ModelLayer& layer : schedule.layers) layers.push_back(layer_text(layer, usual));
  std::string text = repeated_text(layers);
  if (const std::string sizes = sizes_text(usual, {}); !sizes.empty()) text += "; all" + sizes;
  for (const LayerRope& rope : schedule.ropes) text += rope_text(rope);
  return text;
}

}  // namespace vqscope
