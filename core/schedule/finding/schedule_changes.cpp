// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/finding/findings.h"

#include "core/base/sentence.h"
#include "core/schedule/text/layer_texts.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

bool is_windowed(const ModelLayer& layer) {
  return layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked;
}

std::string sight_text(const LayerSight& sight, Index layer) {
  const ModelLayer& each = sight.schedule().layers[static_cast<std::size_t>(layer)];
  std::string text = kind_text(each);
  if (each.two_sided) text += " two-sided";
  if (each.shares_kv_with >= 0) text += fmt::format(" with the keys of layer {}", each.shares_kv_with);
  if (sight.documents() > 1) text += sight.keeps_documents(layer) ? " within documents" : " across documents";
  return text;
}

}  // namespace

bool looks_around(const ModelLayer& layer) { return layer.attention != LayerAttention::none; }

std::optional<ChangedLayers> windows_everywhere(const LayerSchedule& schedule) {
  const ModelLayer* widest = nullptr;
  for (const ModelLayer& layer : schedule.layers)
    if (is_windowed(layer) && (!widest || layer.window > widest->window)) widest = &layer;
  if (!widest) return std::nullopt;
  ChangedLayers changed{.schedule = schedule, .kind = name_of(widest->attention), .window = widest->window};
  for (std::size_t l = 0; l < schedule.layers.size(); ++l) {
    if (schedule.layers[l].attention != LayerAttention::full) continue;
    changed.layers.push_back(static_cast<Index>(l));
    changed.schedule.layers[l].attention = widest->attention;
    changed.schedule.layers[l].window = widest->window;
  }
  return changed.layers.empty() ? std::nullopt : std::optional(std::move(changed));
}

std::optional<ChangedLayers> without_nope_layers(const LayerSchedule& schedule) {
  ChangedLayers changed{.schedule = schedule};
  Index with = 0;
  for (std::size_t l = 0; l < schedule.layers.size(); ++l) {
    const ModelLayer& layer = schedule.layers[l];
    if (!looks_around(layer) || layer.attention == LayerAttention::state) continue;
    if (layer.rope >= 0 || layer.positions != "none") {
      ++with;
      continue;
    }
    changed.layers.push_back(static_cast<Index>(l));
    changed.schedule.layers[l] = {.attention = LayerAttention::none};
  }
  return changed.layers.empty() || with == 0 ? std::nullopt : std::optional(std::move(changed));
}

LayerSchedule with_own_keys(LayerSchedule schedule) {
  for (ModelLayer& layer : schedule.layers) layer.shares_kv_with = -1;
  return schedule;
}

std::vector<UnlikeLayers> unlike_windows(const LayerSchedule& schedule) {
  std::vector<UnlikeLayers> all;
  for (const auto kind : {LayerAttention::sliding, LayerAttention::chunked}) {
    std::map<Index, std::vector<Index>> by_window;
    Index count = 0;
    for (std::size_t l = 0; l < schedule.layers.size(); ++l)
      if (schedule.layers[l].attention == kind) {
        by_window[schedule.layers[l].window].push_back(static_cast<Index>(l));
        ++count;
      }
    if (by_window.size() < 2) continue;
    const auto usual = std::ranges::max_element(by_window, {}, [](const auto& each) { return each.second.size(); });
    for (const auto& [window, layers] : by_window) {
      if (window == usual->first || std::ssize(layers) * 4 > count) continue;
      UnlikeLayers unlike{kind, window, layers, usual->first, count - std::ssize(layers), schedule};
      for (const Index l : layers) unlike.alike.layers[static_cast<std::size_t>(l)].window = usual->first;
      all.push_back(std::move(unlike));
    }
  }
  return all;
}

std::vector<ScheduleChange> changes_between(const LayerSight& intended, const LayerSight& given) {
  std::vector<ScheduleChange> changes;
  for (Index l = 0; l < intended.layers(); ++l) {
    const std::string then = sight_text(intended, l), now = sight_text(given, l);
    if (then == now) continue;
    auto same = std::ranges::find_if(
        changes, [&](const ScheduleChange& each) { return each.intended == then && each.given == now; });
    if (same == changes.end()) same = changes.insert(same, {then, now, {}});
    same->layers.push_back(l);
  }
  return changes;
}

}  // namespace vqscope
