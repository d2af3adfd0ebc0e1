// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: vllm/model_executor/layers/rotary_embedding, patch_rope_parameters in vllm/transformers_utils/config.py,
// _get_and_verify_max_len in vllm/config, pull request 56446 for yarn; python/sglang/srt/layers/rotary_embedding/
// factory.py and get_context_length in hf_transformers_utils.py of SGLang.
#include "core/config/config_parts.h"
#include "core/config/family/model_family.h"
#include "core/config/readers/config_readers.h"
#include "core/config/rope/rope_reading.h"
#include "core/encoding/rope/rope_formulas.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

bool uses(const RopeReading& rope, std::string_view type) { return rope.type == type; }

Index times(Index length, double factor) {
  return static_cast<Index>(std::min(4294967296.0, std::floor(static_cast<double>(length) * factor)));
}

/// longrope: without a length of its own vLLM serves up to the training length, if that stands
/// beside the scaling.
Index served_length(const ReadConfig& config, const ConfigReading& reading) {
  const auto* beside = text_model_of(config.root).find("original_max_position_embeddings");
  const Index trained = beside ? beside->integer().value_or(0) : 0;
  return trained > 0 ? trained : reading.longest;
}

/// One list and one factor for every sequence, by the served length. Factors that are not given
/// follow from max_position_embeddings, even where the short list is used.
void take_longrope(const ReadConfig& config, RopeReading& rope, Index served, Index max_position_embeddings) {
  const bool beyond = served > rope.trained;
  RopeScaling scaling;
  scaling.rope_type = "longrope";
  scaling.original_max_position_embeddings = rope.trained;
  scaling.factor = static_cast<double>(max_position_embeddings) / static_cast<double>(rope.trained);
  const auto given = scaling_number(config.root, rope.layers, beyond ? "long_mscale" : "short_mscale");
  rope.attention_factor = given.value_or(default_attention_factor(scaling));
  const auto use = std::ranges::find(config.report.ropes, rope.layers, &RopeUse::layers);
  if (beyond || use == config.report.ropes.end()) return;
  scaling = use->scaling;
  scaling.seq_len = served;
  take_frequencies(scaling, rope);
}

void take_longropes(const ReadConfig& config, ConfigReading& reading) {
  const auto is_longrope = [](const RopeReading& each) { return uses(each, "longrope"); };
  if (std::ranges::none_of(reading.ropes, is_longrope)) return;
  const Index served = served_length(config, reading);
  for (RopeReading& rope : reading.ropes)
    if (is_longrope(rope)) take_longrope(config, rope, served, reading.longest);
  reading.longest = served;
}

/// linear, dynamic and ntk: max_position_embeddings is taken as the length before scaling.
void segment(const ReadConfig& config, ConfigReading& reading) {
  if (config.report.model_type.starts_with("gemma3")) return;
  for (const auto& rope : reading.ropes)
    if (uses(rope, "linear") || uses(rope, "dynamic") || uses(rope, "ntk")) {
      reading.longest = times(reading.longest, rope.factor);
      return;
    }
}

/// truncate of yarn is taken from the scaling itself: where that is of one type of layers, one
/// beside it is not read.
void take_truncate(const ReadConfig& config, ConfigReading& reading) {
  for (RopeReading& rope : reading.ropes) {
    const auto* scaling = uses(rope, "yarn") ? scaling_of(config.root, rope.layers) : nullptr;
    const auto use = std::ranges::find(config.report.ropes, rope.layers, &RopeUse::layers);
    if (!scaling || use == config.report.ropes.end()) continue;
    const auto* given = scaling->find("truncate");
    RopeScaling own = use->scaling;
    const bool* flag = given ? given->boolean() : nullptr;
    const bool truncate = !flag || *flag;
    if (own.truncate == truncate) continue;
    own.truncate = truncate;
    take_frequencies(own, rope);
  }
}

/// A window that the class of a model without windows does not read is that of every layer: its
/// attention layers take the model's where they have none of their own.
void take_window(const ReadConfig& config, ConfigReading& reading) {
  const ConfigValue& model = text_model_of(config.root);
  const auto* given = model.find("sliding_window");
  const auto* switched = model.find("use_sliding_window");
  const auto size = given ? given->integer() : std::nullopt;
  const LayerRule rule = find_model_family(config.report.model_type).rule;
  const bool needs_switch = rule == LayerRule::switched || rule == LayerRule::alternating;  // else the class drops it
  const bool off = switched ? switched->boolean() && !*switched->boolean() : needs_switch;
  if (!size || *size <= 0 || off) return;
  const auto is_full = [](const LayerKind& kind) { return kind.window == 0 && kind.name == full_layers; };
  if (!std::ranges::all_of(reading.layers, is_full)) return;
  for (auto& kind : reading.layers) kind.window = *size;
}

bool is_latent(const RopeReading& rope) { return rope.softmax_factor != 1; }

/// Whether the RoPE of these layers has its own yarn.
bool layers_have_own_yarn(const ReadConfig& config, std::string_view layers) {
  return has_own_yarn(config.report.model_type, scaling_of(config.root, layers));
}

/// Before pull request 56446 the length of yarn under another name was multiplied once more by
/// factor.
Index older_length(const ReadConfig& config, const RopeReading& rope, Index longest) {
  const auto* scaling = scaling_of(config.root, rope.layers);
  const bool renamed = scaling && (names_type(*scaling, "deepseek_yarn") || names_type(*scaling, "telechat3-yarn"));
  return times(renamed ? longest : rope.trained, rope.factor);
}

}  // namespace

ConfigReading read_as_vllm(const ReadConfig& config) {
  ConfigReading reading = read_as_hugging_face_5(config);
  reading.reader = "vLLM";
  take_window(config, reading);
  take_longropes(config, reading);
  take_truncate(config, reading);
  segment(config, reading);
  return reading;
}

ConfigReading read_as_older_vllm(const ReadConfig& config) {
  ConfigReading reading = read_as_vllm(config);
  reading.reader = "older vLLM";
  const Index longest = reading.longest;
  for (auto& rope : reading.ropes) {
    if (!uses(rope, "yarn")) continue;
    reading.longest = older_length(config, rope, longest);
    if (!is_latent(rope) && !layers_have_own_yarn(config, rope.layers))
      rope.attention_factor =
          yarn_mscale(rope.factor) * scaling_number(config.root, rope.layers, "attn_factor").value_or(1);
  }
  return reading;
}

ConfigReading read_as_sglang(const ReadConfig& config) {
  ConfigReading reading = read_as_hugging_face_5(config);
  reading.reader = "SGLang";
  take_truncate(config, reading);
  const Index longest = reading.longest;
  for (auto& rope : reading.ropes) {
    const auto number = [&](std::string_view key) { return scaling_number(config.root, rope.layers, key); };
    if (uses(rope, "longrope")) take_longrope(config, rope, longest, longest);
    const bool ratio = number("mscale") && number("mscale_all_dim");
    if (uses(rope, "yarn") && !is_latent(rope) && !layers_have_own_yarn(config, rope.layers))
      rope.attention_factor =
          (ratio ? yarn_mscale(rope.factor, *number("mscale")) / yarn_mscale(rope.factor, *number("mscale_all_dim"))
                 : yarn_mscale(rope.factor)) *
          number("attn_factor").value_or(1);
    // Only an object for all layers is looked at, and that of Gemma 3 has become one for each kind
    // of layers.
    const auto all = [&](std::string_view key) { return scaling_number(config.root, {}, key); };
    const bool scales = !uses(rope, "llama3") && !uses(rope, "default") && !all("original_max_position_embeddings") &&
                        !config.report.model_type.starts_with("gemma3");
    if (scales) reading.longest = times(longest, all("factor").value_or(1));
  }
  return reading;
}

}  // namespace vqscope
