// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/config_keys.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// Names that a misspelt key of a config may have meant.
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

/// Other keys that look similar.
const std::vector<std::string> lookalikes{"hidden_sizes", "v_head_dim", "qk_nope_head_dim", "qk_head_dim",
                                          "num_heads",    "hidden_dim", "kv_head_dim",      "index_head_dim"};

/// Keys about positions whose meaning is known and that change nothing in the report.
const std::vector<std::pair<std::string, std::string>> known_keys{
    {"use_dynamic_ntk", "beyond the training length the base grows with the length, in steps"},
    {"use_logn_attn", "beyond the training length queries are multiplied by log(position) / log(training length)"},
    {"dual_chunk_attention_config", "longer prompts are read in chunks whose positions start again, in vLLM"},
    {"attn_temperature_tuning", "layers without RoPE scale their queries by the position"},
    {"llama_4_scaling_beta", "queries are multiplied by 1 + beta · log(1 + floor(position / training length))"},
    {"compress_rope_theta", "theta of the layers that compress their cache"},
    {"indexer_rope_interleave", "pair layout of the indexer, not of the attention"},
    {"alibi_bias_max", "exponent of ALiBi's slopes, if there is ALiBi"},
    {"attn_rotary_emb", "a dimension kept for RoPE by the authors' code"},
    {"position_encoding_2d", "two positions per token, each for half of the rotated dimensions"},
    {"original_rope", "the layout of the authors' code"},
    {"swa_rope_theta", "theta of the layers with a window"},
    {"rotary", "RoPE on the first rotary_dim dimensions"},
    {"static_position_embeddings", "the table is computed"}};

/// Sizes that some encodings do not use.
const std::vector<std::string> shared_size_keys{"hidden_size", "num_attention_heads", "head_dim"};

/// Keys of a scaling that only readers other than Hugging Face use.
const std::vector<std::pair<std::string, std::string>> foreign_keys{
    {"attn_factor", "vLLM and SGLang multiply their attention factor by it"},
    {"extrapolation_factor", "vLLM and SGLang weight the kept pairs by it"},
    {"apply_yarn_scaling", "vLLM reads it"},
    {"alpha", "vLLM reads it with rope_type dynamic"},
    {"mixed_b", "vLLM reads it with rope_type ntk"},
    {"short_mscale", "vLLM uses it as the attention factor up to the training length"},
    {"long_mscale", "vLLM uses it as the attention factor beyond the training length"},
    {"finetuned", "the authors' code of YaRN reads it"}};

const std::vector<std::string> common_keys{"rope_type",
                                           "type",
                                           "rope_theta",
                                           "partial_rotary_factor",
                                           "mrope_section",
                                           "mrope_interleaved",
                                           "llama_4_scaling_beta",
                                           "interleaved",
                                           "xdrope_section"};

bool is_among(std::string_view key, const std::vector<std::string>& names) {
  return std::ranges::count(names, key) > 0;
}

/// "swa_rope_theta" is not a misspelt rope_theta: it has a meaning of its own.
bool contains_a_name(std::string_view key, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return key.size() > name.size() + 1 && key.find(name) != std::string_view::npos;
  });
}

/// Whether two names differ in one place by at most two letters, so keys such as
/// encoder_attention_heads are not mistakes.
bool is_slip(std::string_view given, std::string_view meant) {
  std::size_t front = 0, back = 0;
  const std::size_t shorter = std::min(given.size(), meant.size());
  while (front < shorter && given[front] == meant[front]) ++front;
  while (back < shorter - front && given[given.size() - 1 - back] == meant[meant.size() - 1 - back]) ++back;
  return std::max(given.size(), meant.size()) - front - back <= 2;
}

ConfigKey key_of(const ConfigObject& object, const ConfigValue& member) {
  return {object.path_of(member.key), member.key_place, member.shown(), KeyUse::unrelated, {}};
}

ConfigKey config_key(const ConfigObject& config, const ConfigValue& member, bool rope) {
  ConfigKey key = key_of(config, member);
  const auto known = std::ranges::find(known_keys, member.key, &std::pair<std::string, std::string>::first);
  if (known != known_keys.end() || config.ledger().was_read(member)) {
    key.use = KeyUse::read;
    if (known != known_keys.end()) key.note = known->second;
  } else if (is_among(member.key, shared_size_keys) || (member.is_null() && concerns_positions(member.key))) {
    return key;
  } else if (member.key == "position_embedding_type") {
    key.use = KeyUse::ignored;
    key.note = "the code of this model does not read it";
  } else if (!rope && concerns_positions(member.key)) {
    const bool of_rope = member.key.find("rope") != std::string::npos || member.key.find("rotary") != std::string::npos;
    key.use = of_rope ? KeyUse::ignored : KeyUse::unknown;
    key.note = of_rope ? "not checked: this model has no RoPE" : "not known to this program";
  } else if (is_among(member.key, config_names)) {
    key.use = KeyUse::ignored;
    key.note = "not checked here";
  } else if (!is_among(member.key, lookalikes) && !contains_a_name(member.key, config_names)) {
    const auto meant = nearest_name(member.key, config_names);
    if (meant && !config.has(*meant) && is_slip(member.key, *meant)) {
      key.use = KeyUse::misspelt;
      key.note = fmt::format("did you mean {}?", *meant);
      config.warning(member.key, fmt::format("{} is unknown; {}", key.path, key.note));
    }
  }
  if (key.use == KeyUse::unrelated && concerns_positions(member.key)) {
    key.use = KeyUse::unknown;
    key.note = "not known to this program";
    config.note(member.key, key.path + " is unknown and may change the position encoding");
  }
  return key;
}

/// Why a key that some rope_type knows is not read.
std::string types_that_read(std::string_view name) {
  std::vector<std::string> ids;
  for (const auto& type : rope_type_keys())
    if (type.hugging_face && type.knows(name)) ids.push_back(type.id);
  return ids.empty() ? std::string() : fmt::format("only rope_type {} reads it", join(ids, ", "));
}

std::string foreign_reader(std::string_view name) {
  const auto it = std::ranges::find(foreign_keys, name, &std::pair<std::string, std::string>::first);
  return it == foreign_keys.end() ? std::string() : it->second + ", Hugging Face does not";
}

ConfigKey rope_key(const ConfigObject& rope, const ConfigValue& member, const RopeTypeKeys& type,
                   const ModelFamily& family) {
  ConfigKey key = key_of(rope, member);
  const bool is_mscale = family.mscales && (member.key == "long_mscale" || member.key == "short_mscale");
  if (family.alpha && type.id == "dynamic" && member.key == "alpha") {
    key.use = KeyUse::read;
    key.note = "theta is multiplied by alpha^(d / (d - 2)), and factor is not read";
  } else if (!is_mscale && family.alpha && !type.knows(member.key) && !types_that_read(member.key).empty()) {
    key.use = KeyUse::ignored;
  } else if (is_mscale || type.knows(member.key) || is_among(member.key, common_keys)) {
    key.use = KeyUse::read;
  } else if (key.note = foreign_reader(member.key); !key.note.empty()) {
    key.use = KeyUse::ignored;
    rope.note(member.key, fmt::format("{} is ignored by Hugging Face: {}", key.path, key.note));
  } else if (key.note = types_that_read(member.key); !key.note.empty()) {
    key.use = KeyUse::ignored;
    rope.warning(member.key, fmt::format("{} is ignored with rope_type {}: {}", key.path, type.id, key.note));
  } else {
    std::vector<std::string> known = common_keys;
    for (const auto& each : rope_type_keys()) known.insert(known.end(), each.required.begin(), each.required.end());
    for (const auto& each : rope_type_keys()) known.insert(known.end(), each.optional.begin(), each.optional.end());
    const auto hint = did_you_mean(member.key, known);
    key.use = hint.empty() ? KeyUse::unknown : KeyUse::misspelt;
    key.note = hint.empty() ? "not known to this program" : hint.substr(2);
    const std::string sentence = fmt::format("{} is unknown{}", key.path, hint);
    hint.empty() ? rope.note(member.key, sentence) : rope.warning(member.key, sentence);
  }
  return key;
}

}  // namespace

bool RopeTypeKeys::knows(std::string_view key) const { return is_among(key, required) || is_among(key, optional); }

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
      {"proportional", {}, {"factor"}},
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
  static const std::vector<std::string> all{"text_config",    "language_config", "llm_config", "thinker_config",
                                            "decoder_config", "language_model",  "vlm_config", "decoder"};
  return all;
}

bool concerns_positions(std::string_view key) {
  for (const auto part : {"rope", "rotary", "position_emb", "alibi"})
    if (key.find(part) != std::string_view::npos) return true;
  return is_among(key, config_names);
}

std::vector<ConfigKey> config_keys(const ConfigObject& config, bool rope) {
  std::vector<ConfigKey> keys;
  for (const auto& member : config.value().object()->members) keys.push_back(config_key(config, member, rope));
  return keys;
}

std::vector<ConfigKey> rope_keys(const ConfigObject& rope, const RopeTypeKeys& type, const ModelFamily& family) {
  std::vector<ConfigKey> keys;
  for (const auto& member : rope.value().object()->members) keys.push_back(rope_key(rope, member, type, family));
  return keys;
}

}  // namespace vqscope
