// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "core/config/config_parts.h"
#include "core/config/family/model_family_row.h"
#include "core/config/rope/rope_reading.h"

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

// Sources: the caches in modeling_*.py of Hugging Face transformers for qwen3_next (gated delta
// rule), kimi_linear (KDA), mamba, mamba2 and the hybrids with their keys, lfm2 and
// recurrent_gemma.

constexpr NumberRange state_sizes{1, 1 << 16};
constexpr Index most_state_numbers = Index{1} << 40;

/// The sizes of a config, under any of their names, without findings.
class StateSizes {
 public:
  explicit StateSizes(const ConfigObject& config) : m_config(config) {}

  /// The first of the names with a usable number; 0: none.
  Index of(std::initializer_list<std::string_view> names, NumberRange range = state_sizes) const {
    for (const auto name : names) {
      const auto* given = m_config.value().find(name);
      const auto number = given ? given->integer() : std::nullopt;
      if (number && range.holds(static_cast<double>(*number))) return *number;
    }
    return 0;
  }
  Index width() const { return of({"hidden_size", "d_model"}, model_widths); }
  const ConfigObject& config() const { return m_config; }

 private:
  const ConfigObject& m_config;
};

/// Inputs that a convolution of `kernel` tokens keeps of each channel.
Index kept_inputs(Index kernel) { return kernel > 1 ? kernel - 1 : 0; }

/// Gated delta rule of Qwen3-Next and later: a matrix for each value head.
Index delta_state(const StateSizes& sizes) {
  const Index values = sizes.of({"linear_num_value_heads"}), keys = sizes.of({"linear_num_key_heads"});
  const Index value_dim = sizes.of({"linear_value_head_dim"}), key_dim = sizes.of({"linear_key_head_dim"});
  const Index channels = 2 * keys * key_dim + values * value_dim;
  return values * key_dim * value_dim + channels * kept_inputs(sizes.of({"linear_conv_kernel_dim"}));
}

/// Kimi delta attention: a square matrix for each head, and the inputs of three convolutions.
Index kimi_state(const StateSizes& sizes) {
  const auto* given = sizes.config().value().find("linear_attn_config");
  if (given && given->object()) {
    const ConfigObject inner(*given, "linear_attn_config", sizes.config().ledger());
    const StateSizes own(inner);
    const Index heads = own.of({"num_heads"}), dim = own.of({"head_dim"});
    return heads * dim * (dim + 3 * kept_inputs(own.of({"short_conv_kernel_size"})));
  }
  const Index heads = sizes.of({"linear_num_heads"}), dim = sizes.of({"linear_head_dim"});
  return heads * dim * (dim + 3 * kept_inputs(sizes.of({"linear_conv_kernel_dim"})));
}

/// Mamba 2 has heads; Mamba 1 a state for each channel.
Index mamba_state(const StateSizes& sizes) {
  const Index state = sizes.of({"mamba_d_state", "ssm_state_size", "state_size"});
  const Index kernel = sizes.of({"mamba_d_conv", "conv_kernel", "mamba_conv_kernel"});
  const Index heads = sizes.of({"mamba_n_heads", "mamba_num_heads", "n_mamba_heads", "num_heads"});
  const Index dim = sizes.of({"mamba_d_head", "mamba_head_dim", "mamba_headdim", "head_dim"});
  const bool second = sizes.of({"mamba_d_head", "mamba_head_dim", "mamba_headdim", "n_groups", "mamba_n_groups"}) > 0;
  if (second) {
    const Index groups = sizes.of({"mamba_n_groups", "n_groups", "mamba_ngroups"});
    return heads * dim * state + (heads * dim + 2 * groups * state) * kept_inputs(kernel);
  }
  Index inner = sizes.of({"mamba_intermediate_size", "intermediate_size"}, model_widths);
  if (const Index expand = sizes.of({"mamba_expand", "expand"}); expand > 0) inner = expand * sizes.width();
  return state == 0 ? 0 : inner * (state + kept_inputs(kernel));
}

Index state_of(const StateSizes& sizes, std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("mamba")) return mamba_state(sizes);
  if (has("conv")) return sizes.width() * kept_inputs(sizes.of({"conv_L_cache"}));
  if (has("recurrent")) {
    const Index width = sizes.of({"lru_width"}, model_widths);
    return width * (1 + kept_inputs(sizes.of({"conv1d_width"})));
  }
  const Index delta = delta_state(sizes);
  return delta > 0 ? delta : kimi_state(sizes);
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

void read_states(const ConfigObject& config, std::vector<ModelLayer>& layers) {
  const StateSizes sizes(config);
  for (ModelLayer& layer : layers)
    if (layer.attention == LayerAttention::state) {
      const Index numbers = state_of(sizes, layer.name);
      layer.state_numbers = numbers <= most_state_numbers ? numbers : 0;
    }
}

}  // namespace vqscope
