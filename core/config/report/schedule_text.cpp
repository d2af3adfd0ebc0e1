// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/schedule_text.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

struct Group {
  std::string text;
  std::vector<Index> layers;
};

std::string window_text(const ModelLayer& layer) {
  if (layer.attention == LayerAttention::chunked) return fmt::format(", chunks of {}", layer.window);
  if (layer.window == 0) return layer.two_sided ? ", sees both ways" : "";
  return fmt::format(", window {}{}", layer.window, layer.two_sided ? ", half on either side" : "");
}

std::string named_positions(const std::string& positions) {
  if (positions == "none") return "no positions";
  if (positions == "alibi") return "ALiBi";
  if (positions == "t5") return "T5 buckets";
  if (positions == "rope") return "RoPE";
  return positions + " positions";
}

std::string positions_text(const ModelLayer& layer, const ConfigReport& report) {
  if (layer.rope < 0) return named_positions(layer.positions);
  if (report.ropes.size() < 2) return "RoPE";
  return "RoPE of " + shortened(report.ropes[static_cast<std::size_t>(layer.rope)].layers);
}

std::string heads_text(const ModelLayer& layer) {
  if (layer.latent > 0) return fmt::format("{} latent numbers per token", layer.latent);
  if (layer.num_key_value_heads == 0 || layer.head_dim == 0) return {};
  std::string text = fmt::format("{} key-value heads of {}", layer.num_key_value_heads, layer.head_dim);
  if (layer.v_head_dim > 0) text += fmt::format(" and {}", layer.v_head_dim);
  return text;
}

}  // namespace

std::string layer_numbers_text(const std::vector<Index>& numbers, std::size_t most) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (runs.size() == most) {
      runs.emplace_back("…");
      break;
    }
    runs.push_back(end == i ? to_text(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end]));
    i = end + 1;
  }
  return join(runs, ", ");
}

std::string layer_text(const ConfigReport& report, std::size_t number) {
  const ModelLayer& layer = report.schedule.layers[number];
  const bool is_attention = layer.attention != LayerAttention::state && layer.attention != LayerAttention::none;
  std::string text = name_of(layer.attention) + window_text(layer);
  if (!is_attention) return layer.name.empty() ? text : fmt::format("{} ({})", text, shortened(layer.name));
  text += "; " + positions_text(layer, report);
  if (layer.sink) text += "; sink";
  if (const auto& t = layer.temperature)
    text += fmt::format("; queries × 1 + {} · log(1 + ⌊{} / {}⌋)", plain_text(t->scale),
                        t->offset == 0 ? std::string("p") : fmt::format("(p + {})", t->offset), t->floor);
  if (const std::string heads = heads_text(layer); !heads.empty()) text += "; " + heads;
  if (layer.shares_kv_with >= 0)
    text += static_cast<std::size_t>(layer.shares_kv_with) + 1 == number
                ? "; keys and values of the layer before"
                : fmt::format("; keys and values of layer {}", layer.shares_kv_with);
  return text;
}

std::string schedule_text(const ConfigReport& report) {
  std::vector<Group> groups;
  const auto& layers = report.schedule.layers;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string text = layer_text(report, i);
    auto it = std::ranges::find(groups, text, &Group::text);
    if (it == groups.end()) it = groups.insert(it, {text, {}});
    it->layers.push_back(static_cast<Index>(i));
  }
  if (groups.empty()) return {};
  std::string text = "\nLayers\n";
  for (const Group& group : groups)
    text += fmt::format("  {} {}: {}\n", group.layers.size() == 1 ? "layer" : "layers",
                        layer_numbers_text(group.layers), group.text);
  return text;
}

}  // namespace vqscope
