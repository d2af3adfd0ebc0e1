// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/config_kind.h"

#include <algorithm>

namespace vqscope {
namespace {

const std::vector<std::string> size_keys{"hidden_size", "head_dim", "num_attention_heads", "max_position_embeddings",
                                         "n_embd",      "d_model",  "n_positions",         "num_hidden_layers"};
const std::vector<std::string> rope_keys_of_configs{
    "rope_theta",           "rope_scaling",      "rope_parameters", "partial_rotary_factor",
    "rotary_dim",           "rotary_pct",        "rotary_emb_base", "qk_rope_head_dim",
    "rope_local_base_freq", "global_rope_theta", "rope_interleave"};
/// Families whose config.json may say nothing of RoPE at all.
const std::vector<std::string> rope_models{"llama",    "mistral",    "mixtral",     "qwen2",       "qwen3",
                                           "gemma",    "gemma2",     "gemma3_text", "phi",         "phi3",
                                           "gpt_neox", "gptj",       "stablelm",    "olmo",        "olmo2",
                                           "cohere",   "starcoder2", "deepseek_v2", "deepseek_v3", "gpt_oss"};
const std::vector<std::string> t5_models{"t5", "mt5", "umt5", "longt5", "switch_transformers"};
const std::vector<std::string> learned_models{"gpt2", "gpt_neo", "bert", "roberta", "opt", "electra", "gpt_bigcode"};

bool is_in(std::string_view name, const std::vector<std::string>& names) { return std::ranges::count(names, name) > 0; }

/// Keys that stand there, be they null: `"rope_scaling": null` tells of RoPE too.
bool has_any(const ConfigValue& object, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) { return object.find(name) != nullptr; });
}

}  // namespace

std::span<const std::string> rope_config_keys() { return rope_keys_of_configs; }

bool describes_model(const ConfigValue& object) {
  return has_any(object, size_keys) || has_any(object, rope_keys_of_configs) ||
         object.find("relative_attention_num_buckets");
}

PositionKind read_position_kind(const ConfigObject& config, const std::string& model_type) {
  const ConfigValue& value = config.value();
  if (value.find("relative_attention_num_buckets") || is_in(model_type, t5_models)) return PositionKind::t5_buckets;
  const bool alibi = value.find("alibi") && config.boolean("alibi").value_or(false);
  if (alibi || is_in(model_type, {"bloom", "mpt"})) return PositionKind::alibi;
  if (has_any(value, rope_keys_of_configs) || is_in(model_type, rope_models)) return PositionKind::rope;
  const auto* embedding = value.find("position_embedding_type");
  if (is_in(model_type, learned_models) || (embedding && config.take("position_embedding_type")))
    return PositionKind::learned;
  return PositionKind::unknown;
}

}  // namespace vqscope
