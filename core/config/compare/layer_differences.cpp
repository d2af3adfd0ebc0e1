// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/compare/compare.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "core/schedule/cache/layer_cache.h"

#include <algorithm>
#include <set>

namespace vqscope {
namespace {

constexpr Index bytes_of_number = 2;

bool caches(const ModelLayer& layer) {
  return layer.attention != LayerAttention::state && layer.attention != LayerAttention::none;
}

/// "12 full, 24 sliding with window 1024".
std::string kinds_text(const ConfigReport& report) {
  std::vector<std::string> parts;
  for (const auto& kind : report.layers)
    parts.push_back(fmt::format("{} {}{}{}{}", kind.count, kind.name,
                                kind.window > 0 ? fmt::format(" of {}", kind.window) : "",
                                kind.compress_ratio > 0 ? fmt::format(" 1:{}", kind.compress_ratio) : "",
                                kind.topk > 0 ? fmt::format(" top {}", kind.topk) : ""));
  constexpr std::size_t longest = 390;  // the file chooses how many kinds there are
  return parts.empty() ? "not known" : shortened(join(parts, ", "), longest);
}

Index count_of(const ConfigReport& report) {
  Index count = 0;
  for (const auto& kind : report.layers) count += kind.count;
  return count;
}

/// Layers by kind and window, whatever their order in the report.
std::multiset<std::string> kinds_of(const ConfigReport& report) {
  std::multiset<std::string> all;
  for (const auto& kind : report.layers)
    all.insert(fmt::format("{} {} {} {} {}", kind.name, kind.count, kind.window, kind.topk, kind.compress_ratio));
  return all;
}

/// Layers that attend to other keys in one of the two.
Index other_layers(const LayerSchedule& a, const LayerSchedule& b) {
  Index count = 0;
  for (std::size_t i = 0; i < a.layers.size(); ++i)
    count += a.layers[i].attention != b.layers[i].attention || a.layers[i].window != b.layers[i].window ||
             a.layers[i].topk != b.layers[i].topk || a.layers[i].compress_ratio != b.layers[i].compress_ratio;
  return count;
}

void compare_windows(const ConfigReport& a, const ConfigReport& b, std::vector<ConfigDifference>& all) {
  if (a.layers.empty() || b.layers.empty()) return;
  if (count_of(a) != count_of(b)) {
    all.push_back({"layers", to_text(count_of(a)), to_text(count_of(b)), "the models have other sizes", 40});
    if (kinds_of(a) == kinds_of(b)) return;
  }
  const auto &of_a = a.schedule.layers, &of_b = b.schedule.layers;
  const bool listed = of_a.size() == of_b.size() && !of_a.empty();
  const Index others = listed ? other_layers(a.schedule, b.schedule) : 0;
  if (listed ? others == 0 : kinds_of(a) == kinds_of(b) || count_of(a) != count_of(b)) return;
  const std::string which =
      listed ? fmt::format("{} of {} layers attend to other keys", others, of_a.size()) : "layers attend to other keys";
  all.push_back({"windows of layers", kinds_text(a), kinds_text(b),
                 which + ": tokens beyond a window reach such a layer only through those above or below it", 78});
}

Index without_rope(const ConfigReport& report) {
  Index count = 0;
  for (const auto& kind : report.layers)
    if (!kind.rope && attends(kind.name)) count += kind.count;
  return count;
}

void compare_nope(const ConfigReport& a, const ConfigReport& b, std::vector<ConfigDifference>& all) {
  if (a.kind != PositionScheme::rope || b.kind != PositionScheme::rope || a.layers.empty() || b.layers.empty()) return;
  if (without_rope(a) == without_rope(b)) return;
  all.push_back({"layers without RoPE", to_text(without_rope(a)), to_text(without_rope(b)),
                 "these layers know positions only by the causal mask and what other layers wrote", 82});
}

std::string temperature_text(const ConfigReport& report) {
  for (const auto& layer : report.schedule.layers)
    if (layer.temperature)
      return fmt::format("{} ln(1 + ⌊(p + {}) / {}⌋)", to_text(layer.temperature->scale), layer.temperature->offset,
                         layer.temperature->floor);
  return "none";
}

Index sinks_of(const ConfigReport& report) {
  return std::ranges::count(report.schedule.layers, true, &ModelLayer::sink);
}

/// "8 of 128 dimensions": of the first layer that attends.
std::string heads_text(const ConfigReport& report) {
  for (const auto& layer : report.schedule.layers)
    if (caches(layer) && layer.latent > 0)
      return fmt::format("latent of {} numbers", layer.latent);
    else if (caches(layer) && layer.num_key_value_heads > 0)
      return fmt::format("{} of {} dimensions", layer.num_key_value_heads, layer.head_dim);
  return {};
}

void compare_cache(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names,
                   std::vector<ConfigDifference>& all) {
  const std::string of_a = heads_text(a), of_b = heads_text(b);
  if (!of_a.empty() && !of_b.empty() && of_a != of_b)
    all.push_back({"key and value heads", of_a, of_b, "weights of one do not fit the other", 45});
  const Index bytes_a = cache_bytes_of_token(a.schedule), bytes_b = cache_bytes_of_token(b.schedule);
  if (bytes_a == bytes_b || bytes_a == 0 || bytes_b == 0) return;
  all.push_back({"cache per token", byte_count(static_cast<double>(bytes_a)), byte_count(static_cast<double>(bytes_b)),
                 fmt::format("with 16-bit numbers {} caches {} times as much for each token, before windows bound it",
                             names.b, to_text(static_cast<double>(bytes_b) / static_cast<double>(bytes_a), 3)),
                 30});
}

void compare_extras(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names,
                    std::vector<ConfigDifference>& all) {
  if (a.schedule.layers.empty() || b.schedule.layers.empty()) return;
  if (sinks_of(a) != sinks_of(b))
    all.push_back({"layers with a sink", to_text(sinks_of(a)), to_text(sinks_of(b)),
                   "a learned logit in the softmax's denominator lets a head attend to nothing", 72});
  const std::string of_a = temperature_text(a), of_b = temperature_text(b);
  if (of_a == of_b) return;
  const std::string growing = of_a == "none" ? names.b : of_b == "none" ? names.a : names.a + " and " + names.b;
  all.push_back(
      {"query temperature", of_a, of_b, fmt::format("logits grow with the query's position in {}", growing), 68});
}

}  // namespace

Index cache_bytes_of_token(const LayerSchedule& schedule) {
  Index numbers = 0;
  for (const auto& layer : schedule.layers) {
    if (!caches(layer) || layer.shares_kv_with >= 0) continue;
    const Index kept = cached_numbers(layer);
    if (kept == 0) return 0;  // its sizes are not known
    const Index entry = kept + (selects_keys(layer) ? layer.index_dim : 0);
    numbers += layer.compress_ratio > 0 ? entry / layer.compress_ratio : entry;
  }
  return numbers * bytes_of_number;
}

void add_layer_differences(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names,
                           std::vector<ConfigDifference>& all) {
  compare_windows(a, b, all);
  compare_nope(a, b, all);
  compare_extras(a, b, names, all);
  compare_cache(a, b, names, all);
}

}  // namespace vqscope
