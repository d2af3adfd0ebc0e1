// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: validate_layer_type in configuration_utils.py and create_sliding_window_causal_mask in masking_utils.py of
// Hugging Face transformers 5, configuration_*.py of the models below.
#include "core/config/layer/layer_reading.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Types of layers that every class accepts; two are old names.
const std::vector<std::string> layer_types{"full_attention",
                                           "sliding_attention",
                                           "chunked_attention",
                                           "compressed_sparse_attention",
                                           "heavily_compressed_attention",
                                           "deepseek_sparse_attention",
                                           "minimax_m3_sparse",
                                           "linear_attention",
                                           "conv",
                                           "sparse",
                                           "dense",
                                           "hybrid",
                                           "hybrid_sliding",
                                           "moe",
                                           "mamba",
                                           "attention"};

/// Classes with windows that have no use_sliding_window.
constexpr std::string_view without_switch[]{"mistral", "mixtral",     "starcoder2", "phi3",  "phimoe",       "gemma2",
                                            "gemma3",  "gemma3_text", "cohere2",    "olmo3", "gemma3n_text", "gpt_oss"};

/// Layers of multi-token prediction may follow those of the model.
bool has_length(const ConfigObject& config, std::size_t length, Index count) {
  const auto* given = config.value().find("num_nextn_predict_layers");
  const Index more = given ? given->integer().value_or(0) : 0;
  const Index size = static_cast<Index>(length);
  return size == count || (size > count && size - count <= more);
}

bool is_native(const ModelFamily& family) { return family.known() && !family.remote(); }

void check_length(const ConfigObject& config, const ModelFamily& family, std::string_view key, Index count) {
  const auto* given = config.value().find(key);
  if (!given || count == 0) return;
  const std::size_t length = given->list() ? given->list()->size() : given->text() ? given->text()->size() : 0;
  if (length == 0 || has_length(config, length, count)) return;
  const bool stops = key == "layer_types" && is_native(family);
  config.warning(
      key, fmt::format("{} has {} items for {} layers: {}, and the list is not read here", config.path_of(key), length,
                       count, stops ? "Hugging Face stops with an error" : "the two lengths must be equal"));
}

/// The type that differs from a name in one place by at most two letters: classes of their own have
/// other types, whose names have "attention" in common with all.
const std::string* slip_of(std::string_view name) {
  constexpr std::size_t shortest = 10;  // "mlp" is not a misspelt "moe"
  for (const auto& type : layer_types) {
    if (type.size() < shortest) continue;
    const auto front = std::ranges::mismatch(name, type).in1 - name.begin();
    const auto rest = name.substr(static_cast<std::size_t>(front));
    const std::string_view other = std::string_view(type).substr(static_cast<std::size_t>(front));
    const auto back =
        std::ranges::mismatch(rest.rbegin(), rest.rend(), other.rbegin(), other.rend()).in1 - rest.rbegin();
    if (std::max(std::ssize(rest), std::ssize(other)) - back <= 2) return &type;
  }
  return nullptr;
}

/// Reports layer types that Hugging Face refuses; whether there are any.
bool check_names(const ConfigObject& config, const ModelFamily& family) {
  const auto* given = config.value().find("layer_types");
  if (!is_native(family) || !given || !given->list()) return false;
  for (const auto& item : *given->list()) {
    if (!item.text() || std::ranges::count(layer_types, *item.text()) > 0) continue;
    const auto* meant = slip_of(*item.text());
    if (!meant && item.text()->find("attn") == std::string::npos) continue;
    config.warning("layer_types",
                   fmt::format("{} names {}, which is no type of layer of Hugging Face: it stops with an error{}",
                               config.path_of("layer_types"), shortened(*item.text()),
                               meant ? fmt::format("; did you mean {}?", *meant) : std::string()));
    return true;
  }
  return false;
}

/// Layers of a kind that is not known are shown with a state.
void check_kinds(const ConfigObject& config, const std::vector<ModelLayer>& layers) {
  const auto unknown = std::ranges::find_if(layers, [](const ModelLayer& layer) {
    return layer.attention == LayerAttention::state && !has_state(layer.name);
  });
  if (unknown == layers.end()) return;
  config.warning("layer_types", fmt::format("{} is a kind of layer that this program does not know: such layers are "
                                            "shown with a state of unknown size",
                                            shortened(unknown->name)));
}

/// Phi-3-small: a fixed pattern of blocks, which is no window. Source: blocksparse_* in
/// modeling_phi3_small.py.
void check_blocks(const ConfigObject& config) {
  if (!config.has("dense_attention_every_n_layers")) return;
  const auto period = config.integer("dense_attention_every_n_layers", {0, 4096});
  if (!period) return;
  config.note("dense_attention_every_n_layers",
              fmt::format("{}: {} see the blocks near a query and every blocksparse_vert_stride-th block before them, "
                          "not all keys; they are shown as full",
                          config.path_of("dense_attention_every_n_layers"),
                          *period == 0 ? std::string("all layers")
                                       : fmt::format("the layers whose number from 1 is no multiple of {}", *period)));
}

/// Layers with a window of unknown size are shown as full.
void check_sizes(const ConfigObject& config, const ModelFamily& family, const std::vector<ModelLayer>& layers) {
  const bool lost = std::ranges::any_of(layers, [](const ModelLayer& layer) {
    return layer.name == sliding_layers && layer.attention == LayerAttention::full;
  });
  const bool reads = !is_native(family) || family.rule != LayerRule::uniform;  // the class of Llama has no such list
  if (!lost || !reads || !config.has("layer_types")) return;
  config.warning("layer_types",
                 fmt::format("{} names {}, but no size of a window applies: {} the layers are shown as full",
                             config.path_of("layer_types"), sliding_layers,
                             is_native(family) ? "Hugging Face stops with an error, and" : "it is not known, and"));
}

}  // namespace

void check_layer_lists(const ConfigObject& config, const ModelFamily& family, Index count,
                       const std::vector<ModelLayer>& layers) {
  for (const auto key : {"layer_types", "mixer_types", "hybrid_override_pattern", "hybrid_layer_pattern",
                         "attn_type_list", "layer_type_list"})
    check_length(config, family, key, count);
  if (!check_names(config, family)) check_kinds(config, layers);
  check_blocks(config);
  check_sizes(config, family, layers);
}

void check_head_groups(const ConfigObject& config, const LayerHeads& heads) {
  const auto* given = config.value().find("num_key_value_heads");
  if (heads.latent > 0 || heads.heads == 0 || !given || given->integer() != heads.key_value_heads) return;
  if (heads.heads % heads.key_value_heads == 0) return;
  config.warning("num_key_value_heads",
                 fmt::format("{} is {}, which does not divide the {} query heads: readers stop with an error",
                             config.path_of("num_key_value_heads"), heads.key_value_heads, heads.heads));
}

void check_window_switch(const ConfigObject& config, const ModelFamily& family) {
  const auto* given = config.value().find("use_sliding_window");
  const bool off = given && given->boolean() && !*given->boolean();
  if (!off || !config.has("sliding_window") || std::ranges::count(without_switch, family.model_type) == 0) return;
  config.note(
      "use_sliding_window",
      fmt::format("{} is false, but Hugging Face's class for {} has no such switch and keeps the window; set {} "
                  "to null instead",
                  config.path_of("use_sliding_window"), family.model_type, config.path_of("sliding_window")));
}

}  // namespace vqscope
