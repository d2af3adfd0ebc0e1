// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/schedule_json.h"

#include "core/schedule/cache/layer_cache.h"

namespace vqscope {
namespace {

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
