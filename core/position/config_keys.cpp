// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/config_keys.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// Names that a mistyped key of a config may have meant.
const std::vector<std::string> config_names{"rope_theta",
                                            "rope_scaling",
                                            "rope_parameters",
                                            "max_position_embeddings",
                                            "original_max_position_embeddings",
                                            "partial_rotary_factor",
                                            "head_dim",
                                            "hidden_size",
                                            "num_attention_heads",
                                            "qk_rope_head_dim",
                                            "rope_local_base_freq",
                                            "rotary_dim",
                                            "rotary_pct",
                                            "relative_attention_num_buckets",
                                            "relative_attention_max_distance"};

/// Keys of other things that look like the above.
const std::vector<std::string> lookalikes{"hidden_sizes", "v_head_dim", "qk_nope_head_dim",
                                          "qk_head_dim",  "num_heads",  "hidden_dim"};

/// Keys of a scaling that only some reader besides Hugging Face looks at.
const std::vector<std::pair<std::string, std::string>> foreign_keys{
    {"attn_factor", "vLLM and SGLang multiply their attention factor by it"},
    {"extrapolation_factor", "vLLM and SGLang weight the kept pairs by it"},
    {"apply_yarn_scaling", "vLLM reads it"},
    {"alpha", "vLLM reads it with rope_type dynamic"},
    {"mixed_b", "vLLM reads it with rope_type ntk"},
    {"short_mscale", "vLLM takes it for the attention factor up to the trained length"},
    {"long_mscale", "vLLM takes it for the attention factor beyond the trained length"},
    {"finetuned", "the authors' code of YaRN reads it"}};

const std::vector<std::string> common_keys{
    "rope_type", "type", "rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved"};

bool is_in(std::string_view key, const std::vector<std::string>& names) { return std::ranges::count(names, key) > 0; }

/// "swa_rope_theta" is no mistake for rope_theta: it says something more.
bool says_more(std::string_view key, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return key.size() > name.size() + 1 && key.find(name) != std::string_view::npos;
  });
}

ConfigKey key_of(const ConfigObject& object, const ConfigValue& member) {
  return {object.path_of(member.key), member.key_place, member.shown(), KeyUse::unrelated, {}};
}

ConfigKey config_key(const ConfigObject& config, const ConfigValue& member) {
  ConfigKey key = key_of(config, member);
  if (config.ledger().was_read(member)) {
    key.use = KeyUse::read;
  } else if (is_in(member.key, config_names)) {
    key.use = KeyUse::ignored;
    key.note = "not looked at here";
  } else if (!is_in(member.key, lookalikes) && !says_more(member.key, config_names)) {
    const auto meant = nearest_name(member.key, config_names);
    if (meant && !config.has(*meant) && meant->size() <= member.key.size() + 3) {
      key.use = KeyUse::misspelt;
      key.note = "did you mean " + *meant + "?";
      config.warning(member.key, key.path + " is not a key that anything reads; " + key.note);
    }
  }
  if (key.use == KeyUse::unrelated && concerns_positions(member.key)) {
    key.use = KeyUse::unknown;
    key.note = "not known";
    config.note(member.key, key.path + " is not known: it may change the position encoding");
  }
  return key;
}

/// Why a key that some rope_type knows is not read.
std::string types_that_read(std::string_view name) {
  std::vector<std::string> ids;
  for (const auto& type : rope_type_keys())
    if (type.hugging_face && type.knows(name)) ids.push_back(type.id);
  return ids.empty() ? std::string() : "only rope_type " + join(ids, ", ") + " reads it";
}

std::string foreign_reader(std::string_view name) {
  const auto it = std::ranges::find(foreign_keys, name, &std::pair<std::string, std::string>::first);
  return it == foreign_keys.end() ? std::string() : it->second + ", Hugging Face does not";
}

ConfigKey rope_key(const ConfigObject& rope, const ConfigValue& member, const RopeTypeKeys& type) {
  ConfigKey key = key_of(rope, member);
  if (type.knows(member.key) || is_in(member.key, common_keys)) {
    key.use = KeyUse::read;
  } else if (key.note = foreign_reader(member.key); !key.note.empty()) {
    key.use = KeyUse::ignored;
    rope.note(member.key, key.path + " is ignored by Hugging Face: " + key.note);
  } else if (key.note = types_that_read(member.key); !key.note.empty()) {
    key.use = KeyUse::ignored;
    rope.warning(member.key, key.path + " is ignored with rope_type " + type.id + ": " + key.note);
  } else {
    std::vector<std::string> known = common_keys;
    for (const auto& each : rope_type_keys()) known.insert(known.end(), each.required.begin(), each.required.end());
    for (const auto& each : rope_type_keys()) known.insert(known.end(), each.optional.begin(), each.optional.end());
    const auto hint = did_you_mean(member.key, known);
    key.use = hint.empty() ? KeyUse::unknown : KeyUse::misspelt;
    key.note = hint.empty() ? "not known" : hint.substr(2);
    rope.warning(member.key, key.path + " is not a key that anything reads" + hint);
  }
  return key;
}

}  // namespace

bool RopeTypeKeys::knows(std::string_view key) const { return is_in(key, required) || is_in(key, optional); }

std::span<const RopeTypeKeys> rope_type_keys() {
  static const std::vector<RopeTypeKeys> all{
      {"default", {}, {}},
      {"linear", {"factor"}, {}},
      {"dynamic", {"factor"}, {}},
      {"yarn",
       {"factor"},
       {"original_max_position_embeddings", "attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim",
        "truncate"}},
      {"longrope", {"short_factor", "long_factor"}, {"factor", "original_max_position_embeddings", "attention_factor"}},
      {"llama3", {"factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"}, {}},
      {"ntk", {"factor"}, {}, false},
      {"ntk_by_parts", {"factor"}, {"original_max_position_embeddings"}, false},
      {"dynamic_linear", {}, {"original_max_position_embeddings"}, false}};
  return all;
}

const RopeTypeKeys* find_rope_type_keys(std::string_view id) {
  const auto it = std::ranges::find(rope_type_keys(), id, &RopeTypeKeys::id);
  return it == rope_type_keys().end() ? nullptr : &*it;
}

std::span<const std::string> text_model_keys() {
  static const std::vector<std::string> all{"text_config", "language_config", "llm_config", "thinker_config",
                                            "decoder_config"};
  return all;
}

bool concerns_positions(std::string_view key) {
  for (const auto part : {"rope", "rotary", "position_emb", "alibi"})
    if (key.find(part) != std::string_view::npos) return true;
  return is_in(key, config_names);
}

std::vector<ConfigKey> config_keys(const ConfigObject& config) {
  std::vector<ConfigKey> keys;
  for (const auto& member : config.value().object()->members) keys.push_back(config_key(config, member));
  return keys;
}

std::vector<ConfigKey> rope_keys(const ConfigObject& rope, const RopeTypeKeys& type) {
  std::vector<ConfigKey> keys;
  for (const auto& member : rope.value().object()->members) keys.push_back(rope_key(rope, member, type));
  return keys;
}

}  // namespace vqscope
