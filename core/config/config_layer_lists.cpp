// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_parts.h"

#include "core/base/text.h"
#include "core/config/family/model_family_row.h"

#include <algorithm>
#include <span>

namespace vqscope {
namespace {

using Names = std::vector<std::string>;

std::optional<Names> texts(const ConfigObject& config, std::string_view key) {
  const auto* given = config.value().find(key);
  if (!given || !given->list()) return std::nullopt;
  Names names;
  for (const auto& item : *given->list()) {
    if (!item.text()) return std::nullopt;
    names.push_back(usual_layer_name(*item.text()));
  }
  config.take(key);
  return names;
}

/// Short patterns are repeated over the layers.
Names repeated(const Names& pattern, Index count) {
  Names names;
  for (Index layer = 0; !pattern.empty() && layer < count; ++layer)
    names.push_back(pattern[static_cast<std::size_t>(layer % std::ssize(pattern))]);
  return names;
}

/// "M" is a Mamba layer, "*" attention, "-" feed-forward, "E" mixture of experts.
std::optional<Names> letters(const ConfigObject& config) {
  const auto* given = config.value().find("hybrid_override_pattern");
  if (!given || !given->text()) return std::nullopt;
  config.take("hybrid_override_pattern");
  Names names;
  for (const char letter : *given->text())
    names.emplace_back(letter == '*'   ? std::string(full_layers)
                       : letter == 'M' ? "mamba"
                       : letter == '-' ? "mlp"
                                       : "moe");
  return names;
}

/// One 0 or 1 per layer.
std::optional<Names> flags(const ConfigObject& config, std::string_view key, std::string_view zero,
                           std::string_view one) {
  const auto* given = config.value().find(key);
  if (!given || !given->list()) return std::nullopt;
  Names names;
  for (const auto& item : *given->list()) {
    const auto number = item.integer();
    if (!number) return std::nullopt;
    names.emplace_back(*number == 0 ? zero : one);
  }
  config.take(key);
  return names;
}

/// DeepSeek V4: 0 is a window, 4 and 128 are numbers of tokens that share an entry of the cache.
/// Layers of multi-token prediction may follow.
std::optional<Names> compressed(const ConfigObject& config, Index count) {
  const auto ratios = config.has("compress_ratios") ? config.numbers("compress_ratios", compress_ratios) : std::nullopt;
  if (!ratios || std::ssize(*ratios) < count) return std::nullopt;
  Names names;
  for (const double each : std::span(*ratios).first(static_cast<std::size_t>(count)))
    names.emplace_back(each == 0   ? sliding_layers
                       : each <= 4 ? std::string_view("compressed_sparse_attention")
                                   : std::string_view("heavily_compressed_attention"));
  return names;
}

/// Which layers attend in turns whose length the config gives; `other`: what the rest is.
template <class Attends>
std::optional<Names> in_turns(const ConfigObject& config, std::string_view key, double least, Index count,
                              std::string_view other, const Attends& attends) {
  const auto turn = config.integer(key, {least, 4096});
  if (!turn) return std::nullopt;
  Names names;
  for (Index layer = 0; layer < count; ++layer) names.emplace_back(attends(layer, *turn) ? full_layers : other);
  return names;
}

/// The last layer of each whole group attends to all keys, and those after the last whole group, as
/// in Ring and Ling.
std::optional<Names> by_groups(const ConfigObject& config, Index count) {
  return in_turns(config, "layer_group_size", 1, count, "linear_attention",
                  [count](Index layer, Index size) { return (layer + 1) % size == 0 || layer >= count / size * size; });
}

/// block_configs of Llama-Nemotron: some blocks have no attention.
std::optional<Names> blocks(const ConfigObject& config) {
  const auto* given = config.value().find("block_configs");
  if (!given || !given->list()) return std::nullopt;
  Names names;
  for (const auto& block : *given->list()) {
    const auto* attention = block.find("attention");
    const auto is_set = [&](std::string_view key) {
      const auto* flag = attention ? attention->find(key) : nullptr;
      return flag && flag->boolean() && *flag->boolean();
    };
    names.emplace_back(is_set("no_op") || is_set("replace_with_linear") ? std::string_view("mlp") : full_layers);
  }
  config.take("block_configs");
  return names;
}

/// PLaMo 2: one layer of `mamba_step` attends, in the middle.
std::optional<Names> stepped(const ConfigObject& config, Index count) {
  return in_turns(config, "mamba_step", 2, count, "mamba",
                  [](Index layer, Index step) { return layer % step == step / 2; });
}

/// The numbers of the layers that attend, counted from `base`; `object` may be inside the config.
std::optional<Names> numbered(const ConfigObject& object, std::string_view key, Index base, std::string_view others,
                              Index count, std::string_view named = full_layers) {
  const auto attending = object.has(key) ? object.numbers(key, layer_numbers) : std::nullopt;
  if (!attending) return std::nullopt;
  Names names(static_cast<std::size_t>(count), std::string(others));
  for (const double each : *attending)
    if (const auto layer = static_cast<Index>(each) - base; layer >= 0 && layer < count)
      names[static_cast<std::size_t>(layer)] = named;
  return names;
}

/// attn_layer_period and attn_layer_offset, as in Jamba.
std::optional<Names> periodic(const ConfigObject& config, Index count) {
  const auto period = config.integer("attn_layer_period", {1, 4096});
  const auto offset = config.integer("attn_layer_offset", layer_numbers);
  if (!period || !offset) return std::nullopt;
  Names names;
  for (Index layer = 0; layer < count; ++layer)
    names.emplace_back(layer % *period == *offset ? full_layers : std::string_view("mamba"));
  return names;
}

/// attention_types of GPT-Neo: pairs of a pattern and how often it is repeated.
std::optional<Names> grouped_types(const ConfigObject& config) {
  const auto* given = config.value().find("attention_types");
  if (!given || !given->list()) return std::nullopt;
  Names names;
  for (const auto& group : *given->list()) {
    const auto* pair = group.list();
    if (!pair || pair->size() != 2 || !(*pair)[0].list()) return std::nullopt;
    const Index times = (*pair)[1].integer().value_or(0);
    for (Index turn = 0; turn < std::min<Index>(times, 4096); ++turn)
      for (const auto& item : *(*pair)[0].list())
        if (item.text() && names.size() < 4096) names.push_back(usual_layer_name(*item.text()));
  }
  config.take("attention_types");
  return names;
}

/// Some lists go on with the layers of multi-token prediction (Step 3.5).
std::optional<Names> without_predictors(const ConfigObject& config, std::optional<Names> names, Index count) {
  const auto* given = config.value().find("num_nextn_predict_layers");
  const Index more = given ? given->integer().value_or(0) : 0;
  if (names && count > 0 && std::ssize(*names) > count && std::ssize(*names) - count <= more)
    names->resize(static_cast<std::size_t>(count));
  return names;
}

}  // namespace

std::string usual_layer_name(const std::string& name) {
  for (const auto* each : {"attention", "attn", "full_attn", "global", "global_attn", "full", "hybrid", "*"})
    if (name == each) return std::string(full_layers);
  // Jet-Nemotron's JetBlock is linear attention with a convolution whose kernel depends on the
  // text.
  for (const auto* each : {"lightning-attn", "lightning_attn", "linear_attn", "kda", "gdn", "gated_deltanet", "jet"})
    if (name == each) return "linear_attention";
  if (name == "minicpm4") return std::string(full_layers);  // beside lightning-attn, with a sparse_config
  for (const auto* each : {"local", "local_attn", "local_attention", "sliding_window", "sliding_window_attention",
                           "sliding", "sliding_attn", "swa", "hybrid_sliding"})
    if (name == each) return std::string(sliding_layers);
  return shortened(name);
}

bool has_state(std::string_view name) {
  constexpr std::string_view states[]{"linear",    "lightning", "delta", "mamba", "recurrent",
                                      "retention", "conv",      "ssm",   "rwkv",  "lstm"};
  return std::ranges::any_of(states, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

bool attends(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  return !has_state(name) && (has("attention") || name.ends_with("_sparse") || name.ends_with("_indexed"));
}

std::vector<std::string> listed_layers(const ConfigObject& config, Index count) {
  const auto fits = [&](const std::optional<Names>& names) {
    return names && !names->empty() && (count == 0 || std::ssize(*names) == count);
  };
  for (const auto* key : {"layer_types", "layers_block_type", "attention_layers", "mixer_types"})
    if (auto names = texts(config, key); fits(names = without_predictors(config, std::move(names), count)))
      return *names;
  for (const auto* key : {"block_types", "_block_types"})
    if (const auto names = texts(config, key)) return repeated(*names, count);
  if (const auto names = letters(config); fits(names)) return *names;
  if (const auto names = blocks(config); fits(names)) return *names;
  for (const auto* key : {"hybrid_layer_pattern", "sliding_window_layout"})
    if (const auto names = flags(config, key, full_layers, sliding_layers); fits(names)) return *names;
  for (const auto* key : {"attn_type_list", "layer_type_list"})
    if (const auto names = flags(config, key, "linear_attention", full_layers); fits(names)) return *names;
  if (const auto names = grouped_types(config); fits(names)) return *names;
  if (const auto names = numbered(config, "attn_layer_indices", 0, "mamba", count); fits(names)) return *names;
  if (const auto names = numbered(config, "full_attn_idxs", 0, "conv", count); fits(names)) return *names;
  if (const auto names = numbered(config, "sliding_window_layers", 0, full_layers, count, sliding_layers); fits(names))
    return *names;
  if (const auto names = numbered(config, "local_layer_ids", 0, full_layers, count, sliding_layers); fits(names))
    return *names;
  if (const auto names = compressed(config, count); fits(names)) return *names;
  if (const auto names = periodic(config, count); fits(names)) return *names;
  if (const auto names = by_groups(config, count); fits(names)) return *names;
  if (const auto names = stepped(config, count); fits(names)) return *names;
  if (const auto* linear = config.value().find("linear_attn_config"); linear && linear->object()) {
    config.take("linear_attn_config");
    const ConfigObject inner(*linear, config.path_of("linear_attn_config"), config.ledger());
    if (const auto names = numbered(inner, "full_attn_layers", 1, "linear_attention", count); fits(names))
      return *names;
  }
  return {};
}

}  // namespace vqscope
