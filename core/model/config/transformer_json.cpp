// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/transformer_json.h"

#include "core/base/sentence.h"
#include "core/model/position/relative_bias.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace vqscope {
namespace {

constexpr Index largest_size = Index{1} << 24;

/// Reads one value into a config and writes it. The error of reading names the valid values.
struct Key {
  std::string name;
  std::function<Result<void>(const ConfigValue&, TransformerConfig&)> read;
  std::function<JsonValue(const TransformerConfig&)> write;
  bool required = false;
  std::optional<ModelLayerKind> only = {};  ///< the kind of layers that has this key; empty: all
};

template <class Value>
std::function<JsonValue(const TransformerConfig&)> written(Value TransformerConfig::*member) {
  return [member](const TransformerConfig& config) { return JsonValue(config.*member); };
}

Error must_be(const ConfigValue& value, const std::string& what) {
  return invalid("config key {} is {} but must be {}", value.key, value.shown(), what);
}

Key size_key(const char* name, Index TransformerConfig::*member, bool required = false, Index least = 1,
             Index most = largest_size) {
  return {name,
          [=](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
            const auto number = value.integer();
            if (!number || *number < least || *number > most)
              return must_be(value, fmt::format("a whole number from {} to {}", least, most));
            config.*member = *number;
            return {};
          },
          written(member), required};
}

Key real_key(const char* name, double TransformerConfig::*member, double least, double most) {
  return {name,
          [=](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
            const auto number = value.number();
            if (!number || !(*number >= least && *number <= most))
              return must_be(value, fmt::format("a number from {} to {}", plain_text(least), plain_text(most)));
            config.*member = *number;
            return {};
          },
          written(member)};
}

Key flag_key(const char* name, bool TransformerConfig::*member) {
  return {name,
          [=](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
            if (!value.boolean()) return must_be(value, "true or false");
            config.*member = *value.boolean();
            return {};
          },
          written(member)};
}

Key text_key(const char* name, std::string TransformerConfig::*member) {
  return {name,
          [=](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
            if (!value.text()) return must_be(value, "a text");
            config.*member = *value.text();
            return {};
          },
          written(member)};
}

/// A list of whole numbers.
Key sizes_key(const char* name, std::vector<Index> TransformerConfig::*member) {
  return {name,
          [=](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
            std::vector<Index> sizes;
            if (!value.list()) return must_be(value, "a list of whole numbers");
            for (const ConfigValue& one : *value.list()) {
              const auto number = one.integer();
              if (!number) return must_be(value, "a list of whole numbers");
              sizes.push_back(*number);
            }
            config.*member = std::move(sizes);
            return {};
          },
          written(member)};
}

template <class Value>
Key choice_key(const char* name, Value TransformerConfig::*member, std::vector<std::pair<std::string, Value>> choices) {
  return {name,
          [=](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
            std::vector<std::string> names;
            for (const auto& [id, choice] : choices) {
              names.push_back(fmt::format("\"{}\"", id));
              if (!value.text() || *value.text() != id) continue;
              config.*member = choice;
              return {};
            }
            return must_be(value, "one of " + join(names, ", "));
          },
          [=](const TransformerConfig& config) {
            const auto own = std::ranges::find(choices, config.*member, &std::pair<std::string, Value>::second);
            return JsonValue(own->first);
          }};
}

/// Besides `choices`, the biases of relative_bias_choices().
Key position_key(const char* name, PositionKind TransformerConfig::*member,
                 std::vector<std::pair<std::string, PositionKind>> choices) {
  for (const Choice& bias : relative_bias_choices()) choices.emplace_back(bias.id, PositionKind::relative_bias);
  Key key = choice_key(name, member, std::move(choices));
  key.read = [=, read = key.read](const ConfigValue& value, TransformerConfig& config) -> Result<void> {
    if (auto done = read(value, config); !done) return done;
    if (config.*member == PositionKind::relative_bias) config.relative_bias = *value.text();
    return {};
  };
  key.write = [=, write = key.write](const TransformerConfig& config) {
    return config.*member == PositionKind::relative_bias ? JsonValue(config.relative_bias) : write(config);
  };
  return key;
}

void append_position_keys(std::vector<Key>& keys) {
  using C = TransformerConfig;
  keys.push_back(position_key("pos", &C::pos,
                              {{"nope", PositionKind::nope},
                               {"sinusoidal", PositionKind::sinusoidal},
                               {"learned", PositionKind::learned},
                               {"t5_bias", PositionKind::t5_bias},
                               {"fire", PositionKind::fire},
                               {"rope", PositionKind::rope},
                               {"xpos", PositionKind::xpos},
                               {"xl", PositionKind::xl},
                               {"vq", PositionKind::vq}}));
  keys.push_back(
      position_key("bias", &C::bias,
                   {{"none", PositionKind::nope}, {"t5_bias", PositionKind::t5_bias}, {"fire", PositionKind::fire}}));
  keys.push_back(real_key("rope_theta", &C::rope_theta, 1, 1e15));
  keys.push_back(
      choice_key<std::string>("rope_scaling", &C::rope_scaling,
                              {{"default", "default"}, {"linear", "linear"}, {"ntk", "ntk"}, {"yarn", "yarn"}}));
  keys.push_back(real_key("rope_factor", &C::rope_factor, 1, 1e6));
  keys.push_back(size_key("original_max_position", &C::original_max_position));
  keys.push_back(real_key("yarn_beta_slow", &C::yarn_beta_slow, 1e-6, 1e6));
  keys.push_back(real_key("yarn_beta_fast", &C::yarn_beta_fast, 1e-6, 1e6));
  keys.push_back(size_key("rerope_window", &C::rerope_window, false, 0));
  keys.push_back(real_key("xpos_gamma", &C::xpos_gamma, 1e-3, 1e6));
  keys.push_back(real_key("xpos_scale_base", &C::xpos_scale_base, 1, 1e9));
  keys.push_back(real_key("xl_base", &C::xl_base, 1, 1e15));
  keys.push_back(size_key("max_pos", &C::max_pos));
  keys.push_back(size_key("t5_buckets", &C::t5_buckets));
  keys.push_back(size_key("t5_max_distance", &C::t5_max_distance));
  keys.push_back(size_key("sandwich_dim", &C::sandwich_dim, false, 2, 1 << 16));
  keys.push_back(real_key("fire_threshold", &C::fire_threshold, 1, 1e9));
}

void append_attention_keys(std::vector<Key>& keys) {
  using C = TransformerConfig;
  keys.push_back(choice_key("attn", &C::attn,
                            {{"full", AttentionKind::full},
                             {"window", AttentionKind::window},
                             {"mask", AttentionKind::mask},
                             {"vq", AttentionKind::vq},
                             {"xl", AttentionKind::xl},
                             {"memorizing", AttentionKind::memorizing},
                             {"infini_linear", AttentionKind::infini_linear},
                             {"infini_delta", AttentionKind::infini_delta}}));
  keys.push_back(size_key("window", &C::window));
  keys.push_back(text_key("mask", &C::mask));
  keys.push_back(size_key("n_code", &C::n_code));
  keys.push_back(size_key("block_len", &C::block_len));
  keys.push_back(flag_key("cache", &C::cache));
  keys.push_back(real_key("commit_beta", &C::commit_beta, 0, 1e6));
  keys.push_back(real_key("ema_gamma", &C::ema_gamma, 0, 1));
  keys.push_back(choice_key("grad_mode", &C::grad_mode,
                            {{"dense_ste", VqGradient::dense_ste},
                             {"through_cache", VqGradient::through_cache},
                             {"truncated", VqGradient::truncated}}));
  keys.push_back(size_key("backprop_blocks", &C::backprop_blocks));
  keys.push_back(size_key("segment", &C::segment));
  keys.push_back(size_key("memory", &C::memory, false, 0));
  keys.push_back(flag_key("same_length", &C::same_length));
  keys.push_back(size_key("clamp_len", &C::clamp_len, false, 0));
  keys.push_back(size_key("top_k", &C::top_k));
  keys.push_back(sizes_key("memory_layers", &C::memory_layers));
}

/// A key that only configs of this kind of layers may have.
Key only_for(ModelLayerKind kind, Key key) {
  key.only = kind;
  return key;
}

std::vector<Key> make_keys() {
  using C = TransformerConfig;
  constexpr ModelLayerKind usual = ModelLayerKind::transformer, gated = ModelLayerKind::shga;
  std::vector<Key> keys{
      choice_key("layer_kind", &C::layer_kind, {{"transformer", usual}, {"shga", gated}}),
      size_key("vocab", &C::vocab, true),
      size_key("d_model", &C::d_model, true),
      size_key("n_layers", &C::n_layers, true, 1, 1024),
      only_for(usual, size_key("n_heads", &C::n_heads, true)),
      only_for(usual, size_key("n_kv_heads", &C::n_kv_heads)),
      only_for(usual, size_key("head_dim", &C::head_dim)),
      only_for(usual, size_key("d_ff", &C::d_ff, true)),
      only_for(gated, size_key("d_k", &C::head_dim, true)),
      only_for(gated, size_key("d_v", &C::d_v)),
      real_key("eps", &C::eps, 1e-30, 1),
      real_key("embed_scale", &C::embed_scale, -1e6, 1e6),
      only_for(usual, flag_key("qk_bias", &C::qk_bias)),
      flag_key("tie_word_embeddings", &C::tie_word_embeddings),
      only_for(usual, choice_key("mlp", &C::mlp, {{"swiglu", MlpKind::swiglu}, {"gelu", MlpKind::gelu}}))};
  append_position_keys(keys);
  append_attention_keys(keys);
  return keys;
}

Result<void> check_names(const ConfigValue& json, const std::vector<Key>& keys,
                         std::span<const std::string_view> also) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  for (const auto other : also) names.emplace_back(other);
  for (const ConfigValue& member : json.object()->members)
    if (std::ranges::find(names, member.key) == names.end())
      return invalid("unknown config key {}{}", shortened(member.key), did_you_mean(member.key, names));
  return {};
}

const std::vector<Key>& all_keys() {
  static const std::vector<Key> keys = make_keys();
  return keys;
}

}  // namespace

JsonObject transformer_json(const TransformerConfig& config) {
  const TransformerConfig defaults;
  JsonObject object;
  for (const Key& key : all_keys()) {
    if (key.only && *key.only != config.layer_kind) continue;
    const JsonValue value = key.write(config);
    const bool kind = key.name == "pos" || key.name == "attn" || key.name == "n_kv_heads" || key.name == "head_dim";
    if (key.required || kind || indented_json(value) != indented_json(key.write(defaults))) object[key.name] = value;
  }
  return object;
}

Result<TransformerConfig> read_transformer_config(const ConfigValue& json, std::span<const std::string_view> also) {
  const std::vector<Key>& keys = all_keys();
  if (!json.object()) return invalid("the config is {} but must be an object", json.shown());
  if (auto checked = check_names(json, keys, also); !checked) return checked.error();
  TransformerConfig config;
  for (const Key& key : keys) {
    const ConfigValue* value = json.find(key.name);
    const bool applies = !key.only || *key.only == config.layer_kind;
    if (!value && key.required && applies) return invalid("the config has no " + key.name);
    if (!value) continue;
    if (!applies)
      return invalid("{} is given, layer_kind must be \"{}\"", key.name, config.gated() ? "transformer" : "shga");
    if (auto read = key.read(*value, config); !read) return read.error();
  }
  if (config.gated()) config.n_heads = 1;
  if (config.gated() && !json.find("d_v")) config.d_v = 2 * config.d_model;
  if (!json.find("n_kv_heads")) config.n_kv_heads = config.n_heads;
  if (!json.find("head_dim") && !config.gated()) config.head_dim = std::max<Index>(1, config.d_model / config.n_heads);
  if (auto checked = config.check(); !checked) return checked.error();
  return config;
}

}  // namespace vqscope
