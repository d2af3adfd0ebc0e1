// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "core/config/config_text.h"
#include "core/config/family/family_reading.h"
#include "core/config/family/model_family_row.h"
#include "core/config/layer/layer_reading.h"

#include <algorithm>

namespace vqscope {
namespace {

Index number_of_layers(const ConfigObject& config, const ModelFamily& family) {
  const std::string name = config.first_of({"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_blocks",
                                            "encoder_layers", "num_transformer_layers", "decoder_num_hidden_layers"});
  return config.integer(name, layer_counts).value_or(config.has(name) ? 0 : family.layers);
}

/// The period; a pattern may also be a string such as "LLLG", whose length is the period.
Index period_of(const ConfigObject& config, const ModelFamily& family) {
  const std::string name =
      config.first_of({"sliding_window_pattern", "_sliding_window_pattern", "layer_switch",
                       "global_attn_every_n_layers", "full_attention_interval", "no_rope_layer_interval"});
  const auto* given = config.take(name);
  if (!given) return family.period;
  if (const auto* text = given->text()) return std::ssize(*text);
  return given->integer() && layer_periods.holds(static_cast<double>(*given->integer())) ? *given->integer() : 0;
}

/// Whether windows of a class must be switched on by use_sliding_window.
bool has_switch(const ModelFamily& family) {
  return family.rule == LayerRule::switched || family.rule == LayerRule::alternating;
}

/// Number of keys that a layer with a window sees; 0: all. null means no window.
Index window_of(const ConfigObject& config, const ModelFamily& family) {
  const bool chunks = family.rule == LayerRule::chunked;
  const std::string name = chunks ? "attention_chunk_size"
                                  : config.first_of({"sliding_window", "sliding_window_size", "attention_window_size",
                                                     "local_attention", "window_size", "attention_window"});
  const auto* given = config.take(name);
  const auto switched = config.value().find("use_sliding_window") ? config.boolean("use_sliding_window") : std::nullopt;
  if (switched && !*switched) return 0;
  if (has_switch(family) && !switched) return 0;
  if (!given) return config.value().find(name) ? 0 : family.window;
  const auto size = given->list() && !given->list()->empty() ? given->list()->front().integer() : given->integer();
  if (!size || !key_windows.holds(static_cast<double>(*size))) return 0;
  if (family.model_type == "openai_privacy_filter") return *size * 2;  // its window is given for one side
  // The decoder keeps the half of ModernBERT's window that is behind a query.
  return family.model_type == "modernbert-decoder" ? std::max<Index>(*size / 2, 1) : *size;
}

/// Cohere 2 MoE: the dense layers at the beginning, and the period of their windows; 1: none has a
/// window, and all have RoPE nevertheless.
struct DensePrefix {
  std::vector<bool> dense;  ///< by layer
  Index count = 0;          ///< by first_k_dense_replace
  Index period = 1;
};

DensePrefix dense_prefix(const ConfigObject& config, const ModelFamily& family, std::size_t layers) {
  DensePrefix prefix{std::vector<bool>(layers, false)};
  if (!family.dense_prefix) return prefix;
  prefix.count = config.integer("first_k_dense_replace", {0, 4096}).value_or(0);
  prefix.period = config.integer("prefix_dense_sliding_window_pattern", layer_periods).value_or(1);
  const auto* given = config.value().find("mlp_layer_types");
  const auto* types = given ? given->list() : nullptr;
  for (std::size_t i = 0; i < layers; ++i)
    prefix.dense[i] = types && types->size() == layers ? (*types)[i].text() && *(*types)[i].text() == "dense"
                                                       : static_cast<Index>(i) < prefix.count;
  return prefix;
}

/// DeepSeek V4 without any list: the first three and then every other layer compress heavily.
std::string_view compressed_layer(Index layer) {
  return layer < 2 || layer % 2 == 0 ? "heavily_compressed_attention" : "compressed_sparse_attention";
}

/// The kinds of `count` layers by the family's rule.
std::vector<std::string> ruled_layers(const ConfigObject& config, const ModelFamily& family, Index count,
                                      Index window) {
  const Index usual_period = period_of(config, family);
  const DensePrefix prefix = dense_prefix(config, family, static_cast<std::size_t>(count));
  const Index given_first = config.integer("max_window_layers", {0, 4096}).value_or(28);
  const Index first_window = family.model_type == "qwen3_moe" ? 0 : given_first;  // whose code reads no such key
  std::vector<std::string> names;
  for (Index layer = 0; layer < count; ++layer) {
    const Index period = layer < prefix.count ? prefix.period : usual_period;
    const Index place = layer < prefix.count ? layer : layer - prefix.count;
    const bool last = period > 0 && (place + 1) % period == 0;
    const bool first = period > 0 && place % period == 0;
    const auto slides = [&] {
      switch (family.rule) {
        case LayerRule::windowed: return window > 0;
        case LayerRule::switched: return window > 0 && layer >= first_window;
        case LayerRule::alternating: return window > 0 && layer < first_window && layer % 2 == 0;
        case LayerRule::last_full: return window > 0 && period > 0 && !last;
        case LayerRule::ends_full: return window > 0 && period > 0 && !last && layer > 0;
        case LayerRule::first_full: return window > 0 && period > 0 && !first;
        case LayerRule::uniform:
        case LayerRule::chunked:
        case LayerRule::compresses:
        case LayerRule::recurrent:
        case LayerRule::stateful: return false;
      }
      return false;
    };
    if (family.rule == LayerRule::stateful)
      names.emplace_back(family.model_type.find("mamba") == std::string_view::npos ? "recurrent" : "mamba");
    else if (family.rule == LayerRule::compresses)
      names.emplace_back(compressed_layer(layer));
    else if (family.rule == LayerRule::recurrent && !last)
      names.emplace_back(window > 0 ? "recurrent" : "linear_attention");
    else
      names.emplace_back(slides() ? sliding_layers : full_layers);
  }
  return names;
}

/// Windows of single layers, as in Longformer; empty: all are alike.
std::vector<Index> listed_windows(const ConfigObject& config, std::size_t count) {
  const auto* given = config.value().find("attention_window");
  if (!given || !given->list() || given->list()->size() != count) return {};
  const auto sizes = config.numbers("attention_window", key_windows);
  std::vector<Index> listed;
  if (sizes)
    for (const double each : *sizes) listed.push_back(static_cast<Index>(each));
  return listed;
}

/// Whether the scaling of the layers of a name is null.
bool has_null_scaling(const ConfigObject& config, std::string_view name) {
  for (const auto* key : {"rope_parameters", "rope_scaling"})
    if (const auto* types = config.value().find(key); types && types->object())
      if (const auto* own = types->find(name); own && own->is_null()) return true;
  return false;
}

/// For each layer, whether it has RoPE.
std::vector<bool> layers_with_rope(const ConfigObject& config, const ModelFamily& family,
                                   const std::vector<std::string>& names, Index window, bool rope) {
  std::vector<bool> with(names.size(), rope);
  const std::string key = config.first_of({"no_rope_layers", "rope_layout"});  // the second is SmallThinker's
  const auto listed = rope ? config.numbers(key, {0, 4096}) : std::nullopt;
  const bool lists = listed && listed->size() >= names.size();
  const auto thetas = rope ? config.numbers("layer_rope_theta", {0, 1e12}) : std::nullopt;  // 0: no rotation
  const Index period = family.without_rope == LayersWithoutRope::listed ? period_of(config, family) : 0;
  const DensePrefix prefix = dense_prefix(config, family, names.size());
  for (std::size_t layer = 0; layer < names.size(); ++layer) {
    if (!attends(names[layer]) || (thetas && layer < thetas->size() && (*thetas)[layer] == 0)) with[layer] = false;
    if (lists)
      with[layer] = with[layer] && (*listed)[layer] != 0;
    else if (period > 0 && (layer + 1) % static_cast<std::size_t>(period) == 0)
      with[layer] = false;
    if (family.null_nope && has_null_scaling(config, names[layer])) with[layer] = false;
    const bool rotates = prefix.dense[layer] && prefix.period == 1;
    const bool full = names[layer] == full_layers;
    if (family.without_rope == LayersWithoutRope::full && window > 0 && full) with[layer] = false;
    if (family.without_rope == LayersWithoutRope::unwindowed && (window == 0 || full) && !rotates) with[layer] = false;
  }
  return with;
}

LayerAttention attention_of(std::string_view name) {
  if (name == sliding_layers) return LayerAttention::sliding;
  if (name == chunked_layers) return LayerAttention::chunked;
  if (attends(name)) return LayerAttention::full;
  for (const auto* each : {"mlp", "moe", "dense", "sparse"})
    if (name == each) return LayerAttention::none;
  return LayerAttention::state;
}

/// The encoding of attention without RoPE: that of the model, or none (NoPE).
std::string positions_of(PositionScheme kind) {
  if (kind == PositionScheme::t5_buckets) return "t5";
  return kind_name(kind == PositionScheme::rope ? PositionScheme::none : kind);
}

/// Whether a model of an unknown family has an indexer but no key for its layers: then all layers
/// have it.
bool selects_everywhere(const ConfigObject& config) {
  const auto has = [&](std::initializer_list<std::string_view> keys) {
    return std::ranges::any_of(keys, [&](std::string_view key) { return config.has(key); });
  };
  return has({"index_topk", "indexer_budget", "sparse_attention_config"}) &&
         !has({"sliding_window", "attention_chunk_size", "layer_types", "layer_group_size", "full_attention_interval"});
}

/// The names of the layers, by a list in the config or by the family's rule.
std::vector<std::string> names_of_layers(const ConfigObject& config, const ModelFamily& family, Index count,
                                         Index window, bool& ruled) {
  auto names = listed_layers(config, count);
  ruled = names.empty();
  if (ruled) {
    if (family.rule == LayerRule::recurrent && period_of(config, family) == 0) return {};
    if (!family.known() && !selects_everywhere(config)) return {};
    names = ruled_layers(config, family, count, window);
  }
  if (family.rule == LayerRule::recurrent && window > 0)  // attention beside a state is local
    std::ranges::replace(names, std::string(full_layers), std::string(sliding_layers));
  return names;
}

/// Reports a window that no layer has, because libraries treat it differently.
void report_unread_window(const ConfigObject& config, const ModelFamily& family, Index window,
                          const std::vector<ModelLayer>& layers) {
  const auto sees_all = [](const ModelLayer& layer) { return layer.attention == LayerAttention::full; };
  if (!config.has("sliding_window") || family.model_type.empty() || !std::ranges::all_of(layers, sees_all)) return;
  const std::string path = config.path_of("sliding_window");
  if (has_switch(family) && !config.value().find("use_sliding_window"))
    return config.note("sliding_window", fmt::format("{} is given, but use_sliding_window is not, which is false by "
                                                     "default: no layer has a window",
                                                     path));
  if (window == 0) return;
  if (family.rule == LayerRule::switched && !layers.empty())
    config.warning("sliding_window", fmt::format("{} is {}, but no layer has this window in Hugging Face: the first {} "
                                                 "layers see all keys, as max_window_layers says; vLLM gives every "
                                                 "layer this window",
                                                 path, window, layers.size()));
  if (family.rule == LayerRule::uniform)
    config.warning("sliding_window",
                   fmt::format("{} is {}, but Hugging Face's class for {} has no window: its layers see all keys, and "
                               "vLLM gives every layer this window",
                               path, window, family.model_type));
}

}  // namespace

std::vector<ModelLayer> read_layers(const ConfigObject& config, const ModelFamily& family, PositionScheme kind) {
  const Index count = number_of_layers(config, family);
  const Index window = window_of(config, family);
  bool ruled = false;
  auto names = names_of_layers(config, family, count, window, ruled);
  const auto with = layers_with_rope(config, family, names, window, kind == PositionScheme::rope);
  const auto own_windows = listed_windows(config, names.size());
  const bool both_ways = sees_both_ways(config, family);
  std::vector<ModelLayer> layers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (ruled && family.rule == LayerRule::chunked) names[i] = with[i] ? chunked_layers : full_layers;
    ModelLayer layer{.attention = attention_of(names[i]), .rope = with[i] ? 0 : -1};
    const bool narrow = layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked;
    layer.window = !narrow ? 0 : own_windows.empty() ? window : own_windows[i];
    if (narrow && layer.window == 0) layer.attention = LayerAttention::full;  // the size of the window is not known
    layer.two_sided = both_ways && layer.attention != LayerAttention::state && attends(names[i]);
    if (!with[i] && attends(names[i])) layer.positions = positions_of(kind);
    layer.name = std::move(names[i]);
    layers.push_back(std::move(layer));
  }
  if (ruled) report_unread_window(config, family, window, layers);  // a list names the layers itself
  check_layer_lists(config, family, count, layers);
  check_window_switch(config, family);
  read_selection(config, family, window, layers);
  read_states(config, layers);
  return layers;
}

LayerKind plain_kind(const ModelLayer& layer) {
  const bool selective = layer.attention == LayerAttention::sparse || layer.attention == LayerAttention::compressed;
  return {.name = {},
          .window = selective ? 0 : layer.window,
          .two_sided = layer.two_sided,
          .rope = layer.rope >= 0,
          .attention = layer.attention,
          .topk = layer.topk,
          .compress_ratio = layer.compress_ratio,
          .local_window = selective ? layer.window : 0};
}

std::vector<LayerKind> layer_kinds(std::span<const ModelLayer> layers) {
  std::vector<LayerKind> kinds;
  for (const ModelLayer& layer : layers) {
    LayerKind own = plain_kind(layer);
    own.name = layer.name;
    auto it = std::ranges::find_if(kinds, [&](LayerKind kind) {
      kind.count = own.count;
      kind.two_sided = own.two_sided;
      return kind == own;
    });
    if (it == kinds.end()) it = kinds.insert(it, own);
    ++it->count;
  }
  return kinds;
}

}  // namespace vqscope
