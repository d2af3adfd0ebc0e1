// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_parts.h"

#include <algorithm>

namespace vqscope {
namespace {

const std::vector<std::string> size_keys{"hidden_size",
                                         "head_dim",
                                         "num_attention_heads",
                                         "max_position_embeddings",
                                         "n_embd",
                                         "d_model",
                                         "n_positions",
                                         "num_hidden_layers",
                                         "d_inner",
                                         "model_dim",
                                         "max_source_positions",
                                         "image_size",
                                         "n_embed",
                                         "n_layer",
                                         "relative_attention_num_buckets"};
const std::vector<std::string> rope_keys_of_configs{
    "rope_theta",           "rope_scaling",      "rope_parameters", "partial_rotary_factor",
    "rotary_dim",           "rotary_pct",        "rotary_emb_base", "qk_rope_head_dim",
    "rope_local_base_freq", "global_rope_theta", "rope_interleave", "rope_ratio"};

bool is_in(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::count(names, name) > 0;
}

/// Whether any of the keys is present, even as null: `"rope_scaling": null` also indicates RoPE.
bool has_any(const ConfigValue& object, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) { return object.find(name) != nullptr; });
}

/// Whether a switch of that name is present and true.
bool switched_on(const ConfigObject& config, std::string_view key) {
  return config.value().find(key) && config.boolean(key).value_or(false);
}

/// Switches that decide whether attention rotates, whatever the model_type.
std::optional<PositionScheme> kind_by_switch(const ConfigObject& config) {
  for (const auto* key : {"mla_use_nope", "use_nope"})
    if (switched_on(config, key)) return PositionScheme::none;
  for (const auto* key : {"sinusoidal_pos_embds", "sinusoidal_embeddings"})
    if (switched_on(config, key)) return PositionScheme::sinusoidal;
  for (const auto* key : {"use_rope", "use_mem_rope", "use_rotary_embeddings", "use_rotary_position_embeddings"})
    if (const auto* given = config.value().find(key); given && given->boolean()) {
      config.take(key);
      return *given->boolean() ? PositionScheme::rope : PositionScheme::none;
    }
  // OLMo 1 and LLaDA; without it they have learned positions.
  if (const auto* given = config.value().find("rope"); given && given->boolean() && *given->boolean()) {
    config.take("rope");
    return PositionScheme::rope;
  }
  const auto* named = config.value().find("position_embeddings_type");  // of speech encoders
  if (!named || !named->text() || *named->text() != "rotary") return std::nullopt;
  config.take("position_embeddings_type");
  return PositionScheme::rope;
}

/// position_embedding_type, if the model's code reads it.
std::optional<PositionScheme> kind_by_name(const ConfigObject& config, const ModelFamily& family) {
  const auto* given = config.value().find("position_embedding_type");
  if (!given || !given->text()) return std::nullopt;
  const std::string& name = *given->text();
  const bool reads = !family.known() || is_in(family.model_type, {"bert", "esm", "granitemoehybrid"}) ||
                     family.kind == PositionScheme::learned || family.kind == PositionScheme::alibi;
  if (!reads) return std::nullopt;
  config.take("position_embedding_type");
  if (name == "alibi") return PositionScheme::alibi;
  if (is_in(name, {"rope", "rotary"})) return PositionScheme::rope;
  if (is_in(name, {"nope", "none"})) return PositionScheme::none;
  if (is_in(name, {"relative_key", "relative_key_query"})) return PositionScheme::relative;
  if (is_in(name, {"absolute", "learned", "learned_absolute"})) return PositionScheme::learned;
  return std::nullopt;
}

/// attn_config of MPT and DBRX: a switch for ALiBi, and for RoPE in forks.
std::optional<PositionScheme> kind_by_attention_object(const ConfigObject& config) {
  const auto* given = config.value().find("attn_config");
  if (!given || !given->object()) return std::nullopt;
  config.take("attn_config");
  const ConfigObject inner(*given, config.path_of("attn_config"), config.ledger());
  if (switched_on(inner, "alibi")) return PositionScheme::alibi;
  if (switched_on(inner, "rope") || inner.has("rope_theta")) return PositionScheme::rope;
  if (given->find("alibi")) return PositionScheme::learned;
  return std::nullopt;
}

/// Families whose encoding depends on more than their name.
std::optional<PositionScheme> kind_by_size(const ConfigObject& config, const ModelFamily& family) {
  if (family.model_type == "baichuan")  // only the small model has RoPE
    return config.integer("hidden_size", {1, 1 << 24}).value_or(4096) == 4096 ? PositionScheme::rope
                                                                              : PositionScheme::alibi;
  if (family.model_type == "zamba2") return PositionScheme::none;  // without use_mem_rope
  if (is_in(family.model_type, {"deberta", "deberta-v2"}) && !switched_on(config, "relative_attention"))
    return PositionScheme::learned;
  return std::nullopt;
}

}  // namespace

std::span<const std::string> rope_config_keys() { return rope_keys_of_configs; }

bool describes_model(const ConfigValue& object) {
  const auto* type = object.find("model_type");
  return has_any(object, size_keys) || has_any(object, rope_keys_of_configs) ||
         (type && type->text() && find_model_family(*type->text()).known());
}

bool is_model_config(const ConfigValue& root) {
  const auto* type = root.find("model_type");
  return describes_model(root) || (type && type->text()) ||
         (root.find("architectures") && root.find("architectures")->list());
}

PositionScheme read_position_kind(const ConfigObject& config, const ModelFamily& family) {
  const ConfigValue& value = config.value();
  // MosaicBERT uses model_type bert, and DNABERT-2 keeps "absolute" beside this key.
  if (value.find("alibi_starting_size") && config.take("alibi_starting_size")) return PositionScheme::alibi;
  for (const auto* key : {"alibi", "use_alibi"})
    if (switched_on(config, key)) return PositionScheme::alibi;
  if (const auto kind = kind_by_switch(config)) return *kind;
  if (const auto kind = kind_by_name(config, family)) return *kind;
  if (const auto kind = kind_by_attention_object(config)) return *kind;
  if (const auto kind = kind_by_size(config, family)) return *kind;
  if (family.known()) return family.kind;
  if (value.find("relative_attention_num_buckets")) return PositionScheme::t5_buckets;
  if (has_any(value, rope_keys_of_configs)) return PositionScheme::rope;
  return PositionScheme::unknown;
}

}  // namespace vqscope
