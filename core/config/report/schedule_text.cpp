// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/report_output.h"

#include "core/base/sentence.h"
#include "core/schedule/cache/layer_cache.h"
#include "core/schedule/text/layer_texts.h"

#include <algorithm>

namespace vqscope {
namespace {

struct Group {
  std::string text;
  std::vector<Index> layers;
};

/// "top 2048 keys per query in blocks of 128".
std::string selection_text(const ModelLayer& layer) {
  if (!selects_keys(layer)) return {};
  const char* what = layer.attention == LayerAttention::compressed ? "entries" : "keys";
  if (layer.topk == 0) return fmt::format(", some {} per query", what);
  const std::string top = fmt::format(", top {} {} per query", layer.topk, what);
  return layer.topk_block > 0 ? fmt::format("{} in blocks of {}", top, layer.topk_block) : top;
}

std::string window_text(const ModelLayer& layer) {
  if (layer.attention == LayerAttention::sparse || layer.attention == LayerAttention::compressed) {
    const std::string entries = layer.attention == LayerAttention::compressed
                                    ? fmt::format(", 1 entry per {} tokens", layer.compress_ratio)
                                    : "";
    const std::string beside = layer.window > 0 ? fmt::format(", window {} beside", layer.window) : "";
    return entries + selection_text(layer) + beside;
  }
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
  const bool shared = layer.latent > 0 && layer.latent == layer.num_key_value_heads * layer.head_dim;
  if (shared)
    return fmt::format("{} key-value heads of {}, whose keys are the values", layer.num_key_value_heads,
                       layer.head_dim);
  if (layer.latent > 0) return fmt::format("{} latent numbers per token", layer.latent);
  if (layer.num_key_value_heads == 0 || layer.head_dim == 0) return {};
  std::string text = fmt::format("{} key-value heads of {}", layer.num_key_value_heads, layer.head_dim);
  if (layer.v_head_dim > 0) text += fmt::format(" and {}", layer.v_head_dim);
  return text;
}

/// "indexer of 128 numbers per 4 tokens, half-split pairs".
std::string indexer_text(const ModelLayer& layer) {
  if (!selects_keys(layer) || (layer.index_dim == 0 && !layer.index_pairs)) return {};
  std::string text = "; indexer";
  if (layer.index_dim > 0)
    text += fmt::format(" of {} numbers per {}", layer.index_dim,
                        layer.attention == LayerAttention::compressed ? std::string("entry")
                        : layer.index_pool > 1                        ? fmt::format("{} tokens", layer.index_pool)
                                                                      : std::string("token"));
  if (layer.index_pairs)
    text += *layer.index_pairs == PairLayout::interleaved ? ", interleaved pairs" : ", half-split pairs";
  return text;
}

JsonValue known(Index number) { return number > 0 ? JsonValue(number) : JsonValue(); }

JsonObject rope_json(const LayerRope& rope) {
  const RopeScaling& s = rope.scaling;
  return {{"rope_type", s.rope_type},
          {"rope_theta", s.rope_theta},
          {"factor", rope_type(s.rope_type).reads("factor") ? JsonValue(s.factor) : JsonValue()},
          {"head_dim", s.head_dim},
          {"rotary_dim", s.rotated()},
          {"pair_layout", order_of(rope.pair_layout)},
          {"pairs_apart", pairs_apart(s.pairs(), rope.pair_layout, s.head_dim)},
          {"original_max_position_embeddings", s.original_max_position_embeddings}};
}

JsonValue temperature_json(const std::optional<QueryTemperature>& temperature) {
  if (!temperature) return {};
  return JsonObject{{"scale", temperature->scale}, {"floor", temperature->floor}, {"offset", temperature->offset}};
}

/// Whether the keys that a query reads follow from their places alone.
const char* reach_of(const ModelLayer& layer) {
  if (selects_keys(layer)) return "possible";
  return layer.attention == LayerAttention::none ? "none" : "certain";
}

JsonObject layer_json(const ModelLayer& layer) {
  return {{"name", layer.name},
          {"attention", name_of(layer.attention)},
          {"window", known(layer.window)},
          {"two_sided", layer.two_sided},
          {"rope", layer.rope >= 0 ? JsonValue(layer.rope) : JsonValue()},
          {"positions", layer.rope >= 0 ? "rope" : layer.positions},
          {"sink", layer.sink},
          {"temperature", temperature_json(layer.temperature)},
          {"shares_kv_with", layer.shares_kv_with >= 0 ? JsonValue(layer.shares_kv_with) : JsonValue()},
          {"num_key_value_heads", known(layer.num_key_value_heads)},
          {"head_dim", known(layer.head_dim)},
          {"v_head_dim", known(layer.v_head_dim > 0 ? layer.v_head_dim : layer.head_dim)},
          {"latent", known(layer.latent)},
          {"state_numbers", known(layer.state_numbers)},
          {"compress_ratio", known(layer.compress_ratio)},
          {"topk", known(layer.topk)},
          {"topk_block", known(layer.topk_block)},
          {"index_dim", known(layer.index_dim)},
          {"index_pool", known(layer.index_pool)},
          {"index_pair_layout", layer.index_pairs ? JsonValue(order_of(*layer.index_pairs)) : JsonValue()},
          {"reach", reach_of(layer)}};
}

}  // namespace

std::string layer_text(const ConfigReport& report, std::size_t number) {
  const ModelLayer& layer = report.schedule.layers[number];
  const bool is_attention = layer.attention != LayerAttention::state && layer.attention != LayerAttention::none;
  std::string text = name_of(layer.attention) + window_text(layer);
  if (!is_attention && !layer.name.empty()) text += fmt::format(" ({})", shortened(layer.name));
  if (layer.state_numbers > 0) text += fmt::format("; {} numbers at any length", layer.state_numbers);
  if (!is_attention) return text;
  text += "; " + positions_text(layer, report);
  if (layer.sink) text += "; sink";
  if (const auto& t = layer.temperature)
    text += fmt::format("; queries × 1 + {} · log(1 + ⌊{} / {}⌋)", plain_text(t->scale),
                        t->offset == 0 ? std::string("p") : fmt::format("(p + {})", t->offset), t->floor);
  if (const std::string heads = heads_text(layer); !heads.empty()) text += "; " + heads;
  text += indexer_text(layer);
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

std::string cache_text(const ConfigReport& report) {
  const LayerSchedule& schedule = report.schedule;
  const Index longest = longest_sequence(report);
  if (schedule.layers.empty() || longest == 0) return {};
  const double bytes = cache_bytes(schedule, longest, {}), full = cache_bytes(all_full(schedule), longest, {});
  const Index unknown = unknown_caches(schedule);
  if (bytes == 0) return {};
  std::string text = fmt::format("\nCache of {} tokens\n  {} with 16-bit numbers", longest, byte_count(bytes));
  if (full > bytes) text += fmt::format(", {} if all attention layers were full", byte_count(full));
  if (unknown > 0) text += fmt::format("; {} layers of unknown size are not counted", unknown);
  text += "\n";
  std::vector<Index> selecting;
  for (std::size_t i = 0; i < schedule.layers.size(); ++i)
    if (selects_keys(schedule.layers[i])) selecting.push_back(static_cast<Index>(i));
  if (selecting.empty()) return text;
  return text + fmt::format("  reach in {}: possible, not certain: what a query reads depends on the indexer\n",
                            named_layers(selecting));
}

JsonObject schedule_json(const LayerSchedule& schedule) {
  JsonArray ropes, layers;
  for (const auto& rope : schedule.ropes) ropes.emplace_back(rope_json(rope));
  for (const auto& layer : schedule.layers) layers.emplace_back(layer_json(layer));
  return {{"ropes", std::move(ropes)}, {"layers", std::move(layers)}};
}

JsonValue cache_json(const ConfigReport& report) {
  const Index tokens = longest_sequence(report);
  if (tokens == 0 || report.schedule.layers.empty()) return {};
  return JsonObject{{"tokens", tokens},
                    {"bytes", cache_bytes(report.schedule, tokens, {})},
                    {"bytes_all_full", cache_bytes(all_full(report.schedule), tokens, {})},
                    {"layers_not_counted", unknown_caches(report.schedule)}};
}

JsonValue dual_chunk_json(const std::optional<DualChunk>& chunks) {
  if (!chunks) return {};
  return JsonObject{{"chunk_size", chunks->chunk_size},
                    {"local_size", chunks->local_size},
                    {"original_max_position_embeddings", known(chunks->original_max_position_embeddings)}};
}

}  // namespace vqscope
