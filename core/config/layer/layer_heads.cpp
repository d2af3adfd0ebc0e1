// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_heads.h"

#include "core/config/config_layer_lists.h"
#include "core/config/family/model_bounds.h"
#include "core/config/rope/config_head.h"

namespace vqscope {
namespace {

/// A size in one of the objects that some models have for their attention.
struct Place {
  std::string_view object, key;
};

constexpr NumberRange value_sizes{1, head_sizes.high};

std::optional<Index> count_of(const ConfigValue* given, NumberRange range) {
  const auto number = given ? given->integer() : std::nullopt;
  return number && range.holds(static_cast<double>(*number)) ? number : std::nullopt;
}

/// The first of the keys with a usable value; 0: none.
Index first_count(const ConfigObject& config, std::initializer_list<std::string_view> keys,
                  NumberRange range = head_counts) {
  for (const auto key : keys)
    if (const auto count = count_of(config.value().find(key), range)) return *count;
  return 0;
}

Index first_inner(const ConfigObject& config, std::initializer_list<Place> places) {
  for (const auto& place : places) {
    const auto* object = config.value().find(place.object);
    if (const auto count = object ? count_of(object->find(place.key), head_counts) : std::nullopt) return *count;
  }
  return 0;
}

bool is_true(const ConfigObject& config, std::string_view key, bool otherwise = false) {
  const auto* given = config.value().find(key);
  const bool* value = given ? given->boolean() : nullptr;
  return value ? *value : otherwise;
}

Index heads_of(const ConfigObject& config, const ModelFamily& family, std::string_view layers) {
  if (layers == sliding_layers) {
    if (const Index own = first_count(config, {"swa_num_attention_heads", "num_swa_attention_heads"}); own > 0)
      return own;
    if (const Index own = first_inner(config, {{"attention_other_setting", "num_attention_heads"}}); own > 0)
      return own;
  }
  const Index given =
      first_count(config, {"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads",
                           "attention_heads", "decoder_num_attention_heads"});
  return given > 0 ? given : family.heads;
}

/// Keys and values for all queries in models with that switch.
bool is_multi_query(const ConfigObject& config, const ModelFamily& family) {
  const bool usual = family.model_type == "falcon" || family.model_type == "gpt_bigcode";
  return is_true(config, "multi_query", usual) && !is_true(config, "new_decoder_architecture");
}

Index key_value_heads_of(const ConfigObject& config, const ModelFamily& family, std::string_view layers, Index heads) {
  if (layers == sliding_layers) {
    if (const Index own = first_count(config, {"swa_num_key_value_heads", "num_swa_key_value_heads"}); own > 0)
      return own;
    if (const Index own = first_inner(config, {{"attention_other_setting", "num_attention_groups"}}); own > 0)
      return own;
  }
  if (layers == full_layers && is_true(config, "attention_k_eq_v"))
    if (const Index own = first_count(config, {"num_global_key_value_heads"}); own > 0) return own;
  if (is_multi_query(config, family)) return 1;
  if (is_true(config, "multi_query_attention"))
    if (const Index groups = first_count(config, {"multi_query_group_num"}); groups > 0) return groups;
  const Index given = first_count(config, {"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads",
                                           "num_attention_groups", "num_query_groups", "n_shared_head"});
  if (given > 0) return given;
  const Index inner = first_inner(config, {{"attn_config", "kv_n_heads"}});
  if (inner > 0) return inner;
  if (config.is_null("num_key_value_heads")) return heads;  // classes have as many as heads then
  return family.key_value_heads > 0 ? family.key_value_heads : heads;
}

}  // namespace

LayerHeads read_layer_heads(const ConfigObject& config, const ModelFamily& family, std::string_view layers) {
  LayerHeads all;
  all.heads = heads_of(config, family, layers);
  all.key_value_heads = key_value_heads_of(config, family, layers, all.heads);
  const bool is_latent = has_latent_attention(config, family);
  // GLM 5.3 has no rotated part, so that only the other sizes show that its attention is latent.
  const bool by_class = is_latent || family.latent.qk_rope_head_dim == 0;
  const auto size = [&](std::string_view key, NumberRange range, Index usual) {
    return by_class && !config.value().find(key) ? usual : first_count(config, {key}, range);
  };
  const Index lora = size("kv_lora_rank", latent_ranks, family.latent.kv_lora_rank);
  const Index plain = size("qk_nope_head_dim", value_sizes, family.latent.qk_nope_head_dim);
  if ((is_latent || plain > 0) && lora > 0) {
    const Index turned = size("qk_rope_head_dim", value_sizes, family.latent.qk_rope_head_dim);
    all.head_dim = plain + turned;
    all.v_head_dim = size("v_head_dim", value_sizes, family.latent.v_head_dim);
    all.latent = (lora + turned) * family.attentions;
    return all;
  }
  all.head_dim = head_dim_of(config, family, layers);
  const Index own = layers == sliding_layers ? first_count(config, {"swa_v_head_dim"}, value_sizes) : 0;
  all.v_head_dim = own > 0 ? own : first_count(config, {"v_head_dim"}, value_sizes);
  if (all.v_head_dim == all.head_dim) all.v_head_dim = 0;
  return all;
}

}  // namespace vqscope
