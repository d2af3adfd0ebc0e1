// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "core/config/config_parts.h"
#include "core/config/family/family_reading.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr NumberRange counts{0, 4096};
constexpr NumberRange scales{0, 100};

/// true, or a number above 0 as in Llama 4's files.
bool is_on(const ConfigObject& config, std::string_view key, bool otherwise) {
  const auto* given = config.take(key);
  if (!given) return otherwise && !config.value().find(key);
  if (const bool* value = given->boolean()) return *value;
  return given->number().value_or(0) > 0;
}

void read_heads(const ConfigObject& config, const ModelFamily& family, std::vector<ModelLayer>& layers) {
  std::map<std::string_view, LayerHeads> by_name;
  for (ModelLayer& layer : layers) {
    if (!attends(layer.name)) continue;
    auto it = by_name.find(layer.name);
    if (it == by_name.end()) it = by_name.emplace(layer.name, read_layer_heads(config, family, layer.name)).first;
    layer.num_key_value_heads = it->second.key_value_heads;
    layer.head_dim = it->second.head_dim;
    layer.v_head_dim = it->second.v_head_dim;
    layer.latent = it->second.latent;
  }
  // DeepSeek V4: beside compressed entries keys are the values too, in its layers with a window
  // alone as well.
  const bool shared = std::ranges::find(layers, LayerAttention::compressed, &ModelLayer::attention) != layers.end();
  for (ModelLayer& layer : layers)
    if (shared && layer.latent == 0) layer.latent = layer.num_key_value_heads * layer.head_dim;
}

/// Llama-Nemotron: queries that share a head of keys and values, block by block.
void read_groups(const ConfigObject& config, Index heads, std::vector<ModelLayer>& layers) {
  const auto* blocks = config.value().find("block_configs");
  if (!blocks || !blocks->list() || blocks->list()->size() != layers.size()) return;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto* attention = (*blocks->list())[i].find("attention");
    const auto* given = attention ? attention->find("n_heads_in_group") : nullptr;
    const Index group = given ? given->integer().value_or(0) : 0;
    if (group > 0 && heads % group == 0 && attends(layers[i].name)) layers[i].num_key_value_heads = heads / group;
  }
}

void read_sinks(const ConfigObject& config, const ModelFamily& family, std::vector<ModelLayer>& layers) {
  const bool all = family.sinks == LayerSinks::all;
  const bool sliding = is_on(config, "add_swa_attention_sink_bias", all || family.sinks == LayerSinks::sliding);
  const bool full = is_on(config, "add_full_attention_sink_bias", all);
  for (ModelLayer& layer : layers)
    if (attends(layer.name)) layer.sink = layer.name == sliding_layers ? sliding : full;
}

/// Llama 4 scales the queries of layers without RoPE, Ministral 3 those of all layers.
void read_temperature(const ConfigObject& config, const ConfigObject* scaling, const ModelFamily& family,
                      std::vector<ModelLayer>& layers) {
  if (is_on(config, "attn_temperature_tuning", family.tempered)) {
    const QueryTemperature temperature{.scale = config.number("attn_scale", scales).value_or(0.1),
                                       .floor = config.integer("floor_scale", lengths).value_or(8192),
                                       .offset = 1};
    for (ModelLayer& layer : layers)
      if (attends(layer.name) && layer.rope < 0) layer.temperature = temperature;
    return;
  }
  if (!scaling || !scaling->has("llama_4_scaling_beta")) return;
  const auto beta = scaling->number("llama_4_scaling_beta", scales);
  const auto length = scaling->integer("original_max_position_embeddings", lengths);
  if (!beta || !length) return;
  for (ModelLayer& layer : layers)
    if (attends(layer.name)) layer.temperature = {.scale = *beta, .floor = *length};
}

/// The last layers use keys and values of the last layer of their kind before them (Gemma 3n and
/// 4), or each of a group those of its first (Hunyuan-Large).
void read_sharing(const ConfigObject& config, const ModelFamily& family, std::vector<ModelLayer>& layers) {
  const Index all = std::ssize(layers);
  const Index last = config.integer("num_kv_shared_layers", counts).value_or(family.shared_layers);
  const Index group = is_on(config, "use_cla", false) ? config.integer("cla_share_factor", counts).value_or(2) : 1;
  for (Index i = 0; i < all; ++i) {
    ModelLayer& layer = layers[static_cast<std::size_t>(i)];
    if (group > 1 && i % group != 0) layer.shares_kv_with = static_cast<int>(i - i % group);
    if (last == 0 || last >= all || i < all - last) continue;
    for (Index from = all - last - 1; from >= 0 && layer.shares_kv_with < 0; --from)
      if (layers[static_cast<std::size_t>(from)].name == layer.name) layer.shares_kv_with = static_cast<int>(from);
  }
}

/// Whether a RoPE of `layers` is that of the layers of this name; DeepSeek V4 has one for two ways
/// to compress.
bool is_of_layers(const std::string& layers, std::string_view name) {
  const bool compressed = name.find("compressed") != std::string_view::npos;
  if (layers.empty()) return true;
  if (layers == compressed_layers || layers == "compress") return compressed;
  return layers == name || usual_layer_name(layers) == name || (layers == "main" && !compressed);
}

}  // namespace

void read_layer_details(const ConfigObject& config, const ConfigObject* scaling, const ModelFamily& family,
                        std::vector<ModelLayer>& layers) {
  read_heads(config, family, layers);
  read_groups(config, read_layer_heads(config, family, full_layers).heads, layers);
  read_sinks(config, family, layers);
  read_temperature(config, scaling, family, layers);
  read_sharing(config, family, layers);
}

void read_length_extensions(const ConfigObject& config, const ModelFamily& family, ConfigReport& report) {
  const auto* chunks = config.value().find("dual_chunk_attention_config");
  if (chunks && chunks->object()) {
    config.take("dual_chunk_attention_config");
    const ConfigObject inner(*chunks, config.path_of("dual_chunk_attention_config"), config.ledger());
    const Index chunk = inner.integer("chunk_size", lengths).value_or(8192);
    const Index trained = inner.integer("original_max_position_embeddings", lengths).value_or(0);
    report.dual_chunk = {chunk, inner.integer("local_size", lengths).value_or(1024), trained};
  }
  const Index trained = config.integer("seq_length", lengths).value_or(family.positions);
  if (is_on(config, "use_logn_attn", false)) report.logn_length = trained;
  if (is_on(config, "use_dynamic_ntk", false)) report.dynamic_ntk_length = trained;
}

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
