// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: the parameter names of modeling_*.py of Hugging Face transformers, and of mistral-inference.
#include "core/config/checkpoint/checkpoint_names.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <span>

namespace vqscope {
namespace {

struct RoleName {
  std::string_view name;
  AttentionRole role;
};

constexpr auto role_names = [] {
  using enum AttentionRole;
  return std::to_array<RoleName>({{"q_proj", q},
                                  {"k_proj", k},
                                  {"v_proj", v},
                                  {"o_proj", o},
                                  {"out_proj", o},
                                  {"query", q},
                                  {"key", k},
                                  {"value", v},
                                  {"wq", q},
                                  {"wk", k},
                                  {"wv", v},
                                  {"wo", o},
                                  {"q", q},
                                  {"k", k},
                                  {"v", v},
                                  {"o", o},
                                  {"q_lin", q},
                                  {"k_lin", k},
                                  {"v_lin", v},
                                  {"out_lin", o},
                                  {"dense", o},
                                  {"c_proj", o},
                                  {"qkv_proj", qkv},
                                  {"query_key_value", qkv},
                                  {"c_attn", qkv},
                                  {"Wqkv", qkv},
                                  {"wqkv", qkv},
                                  {"W_pack", qkv},
                                  {"qkv", qkv},
                                  {"att_proj", qkv},
                                  {"q_norm", q_norm},
                                  {"k_norm", k_norm},
                                  {"q_layernorm", q_norm},
                                  {"k_layernorm", k_norm},
                                  {"query_layernorm", q_norm},
                                  {"key_layernorm", k_norm},
                                  {"q_a_proj", q_a},
                                  {"wq_a", q_a},
                                  {"q_b_proj", q_b},
                                  {"wq_b", q_b},
                                  {"kv_a_proj_with_mqa", kv_a},
                                  {"wkv_a_with_mqa", kv_a},
                                  {"kv_b_proj", kv_b},
                                  {"wkv_b", kv_b}});
}();

constexpr std::string_view layer_lists[]{"layers", "layer", "h", "blocks", "block"};
/// Words in the names of other models beside the text model.
constexpr std::string_view other_models[]{"vision",    "visual",   "image",     "audio",     "speech", "mtp",
                                          "nextn",     "talker",   "projector", "resampler", "vit",    "connector",
                                          "perceiver", "code2wav", "draft",     "depth"};
/// Attentions that are not over the sequence itself, or not with the heads of the config.
constexpr std::string_view other_attention[]{"cross",   "encdec",     "encoder_attn", "linear",
                                             "indexer", "compressor", "lora",         "base_layer"};
constexpr std::string_view embeddings[]{
    "embed_tokens.weight",   "wte.weight",    "word_embeddings.weight", "embed_in.weight",
    "tok_embeddings.weight", "shared.weight", "embedding.weight"};
constexpr std::string_view output_layers[]{"lm_head.weight", "embed_out.weight", "output.weight",
                                           "output_layer.weight"};

bool has_word(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// A name whose part after a list of layers is a number.
struct LayerName {
  std::string_view prefix;  ///< "model.layers."
  Index layer = 0;
  std::string_view rest;  ///< "self_attn.q_proj.weight"
};

std::optional<LayerName> parse_layer_name(std::string_view name) {
  std::size_t before = 0;  // where the part before the dot begins
  for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    const auto part = name.substr(before, dot - before);
    before = dot + 1;
    if (std::ranges::count(layer_lists, part) == 0) continue;
    const auto end = name.find('.', before);
    if (end == std::string_view::npos) return std::nullopt;
    const auto digits = name.substr(before, end - before);
    const bool plain = !digits.empty() && digits.size() < 6 &&
                       std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (plain) return LayerName{name.substr(0, before), *parse_index(digits), name.substr(end + 1)};
  }
  return std::nullopt;
}

std::optional<AttentionRole> role_of(std::string_view rest) {
  constexpr std::string_view weight = ".weight";
  if (!rest.ends_with(weight)) return std::nullopt;
  rest.remove_suffix(weight.size());
  const auto dot = rest.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string block = lower_case(rest.substr(0, dot));
  const bool attends = block.find("attn") != std::string::npos || block.find("attention") != std::string::npos ||
                       block.find("mixer") != std::string::npos;
  if (!attends || has_word(block, other_attention)) return std::nullopt;
  const auto* found = std::ranges::find(role_names, rest.substr(dot + 1), &RoleName::name);
  return found == role_names.end() ? std::nullopt : std::optional(found->role);
}

/// Tensors of the layers with one prefix.
struct LayerGroup {
  std::set<Index> layers;
  std::map<Index, AttentionTensors> attention;
};
using LayerGroups = std::map<std::string_view, LayerGroup>;

/// The group of the text model: the encoder's, of those of an encoder and a decoder, else the
/// largest.
LayerGroups::iterator text_group(LayerGroups& groups) {
  const auto of = [&](std::string_view word) {
    return std::ranges::find_if(groups, [&](const auto& each) { return each.first.find(word) != std::string::npos; });
  };
  if (of("decoder") != groups.end() && of("encoder") != groups.end()) return of("encoder");
  return std::ranges::max_element(groups, {}, [](const auto& each) { return each.second.layers.size(); });
}

/// Whether a name ends with one of the endings, as whole parts.
bool ends_with_any(std::string_view name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    return name.size() == ending.size() || name[name.size() - ending.size() - 1] == '.';
  });
}

}  // namespace

CheckpointModel find_model_tensors(const Checkpoint& checkpoint) {
  LayerGroups groups;
  CheckpointModel model;
  for (const CheckpointTensor& tensor : checkpoint.tensors) {
    const auto named = parse_layer_name(tensor.name);
    const std::string owner = lower_case(named ? named->prefix : tensor.name);
    if (has_word(owner, other_models)) continue;
    if (!named) {
      if (!model.embedding && ends_with_any(tensor.name, embeddings)) model.embedding = &tensor;
      if (!model.output && ends_with_any(tensor.name, output_layers)) model.output = &tensor;
      continue;
    }
    LayerGroup& group = groups[named->prefix];
    group.layers.insert(named->layer);
    if (const auto role = role_of(named->rest))
      if (auto& found = group.attention[named->layer][*role]; !found) found = &tensor;
  }
  if (groups.empty()) return model;
  const auto chosen = text_group(groups);
  model.prefix = chosen->first;
  model.layers = std::move(chosen->second.layers);
  model.attention = std::move(chosen->second.attention);
  return model;
}

}  // namespace vqscope
