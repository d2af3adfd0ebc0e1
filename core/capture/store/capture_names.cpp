// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture_names.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <string>

namespace vqscope {
namespace {

std::optional<Index> digits_after(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  std::size_t end = word.size();
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  if (end == word.size()) return std::nullopt;
  const auto number = parse_index(text.substr(word.size(), end - word.size())).value_or(most_layer_number + 1);
  text.remove_prefix(end);
  return number;
}

struct ForeignName {
  std::string_view ending;
  TensorRole role;
};

/// Behind "layers.N." and "h.N.", beside our own names; longer endings before those that they end with.
constexpr ForeignName module_names[]{
    {"self_attn.q_norm_outputs", TensorRole::q},
    {"self_attn.k_norm_outputs", TensorRole::k},
    {"self_attn.q_proj_outputs", TensorRole::q},
    {"self_attn.k_proj_outputs", TensorRole::k},
    {"self_attn.v_proj_outputs", TensorRole::v},
    {"self_attn.o_proj_inputs_args_0", TensorRole::out},
    {"self_attn_inputs_kwargs_position_embeddings_0", TensorRole::cos},
    {"self_attn_inputs_kwargs_position_embeddings_1", TensorRole::sin},
    {"self_attn_inputs_kwargs_attention_mask", TensorRole::mask},
    {"self_attn_inputs_kwargs_position_ids", TensorRole::position_ids},
    {"self_attn.rotary_emb.inputs.0", TensorRole::position_ids},
    {"self_attn.rotary_emb.inputs.1", TensorRole::q},
    {"self_attn.rotary_emb.inputs.2", TensorRole::k},
    {"self_attn.o_proj.inputs.0", TensorRole::out},
    {"self_attn.attn.inputs.0", TensorRole::q_rot},
    {"self_attn.attn.inputs.1", TensorRole::k_rot},
    {"self_attn.attn.inputs.2", TensorRole::v},
    {"self_attn.rotary_emb[0]", TensorRole::q_rot},
    {"self_attn.rotary_emb[1]", TensorRole::k_rot},
    {"self_attn.attn", TensorRole::out},
};

/// Of llama.cpp: NAME-LAYER.
constexpr ForeignName graph_names[]{
    {"Qcur_normed", TensorRole::q},
    {"Kcur_normed", TensorRole::k},
    {"Qcur", TensorRole::q},
    {"Kcur", TensorRole::k},
    {"Vcur", TensorRole::v},
    {"kq", TensorRole::raw},
    {"kq_soft_max", TensorRole::weights},
    {"kq_soft_max_ext", TensorRole::weights},
    {"kqv_out", TensorRole::out},
    {"l_out", TensorRole::hidden_out},
};

std::optional<ForeignTensor> of_module(const std::string& whole) {
  const std::string_view name = whole;
  for (const std::string_view word : {"layers.", "h."}) {
    const auto at = name.rfind(word);
    if (at == std::string_view::npos) continue;
    std::string_view rest = name.substr(at);
    const auto layer = digits_after(rest, word);
    if (!layer || *layer > most_layer_number) continue;
    if (rest == "_inputs_args_0" || rest == "_inputs_kwargs_hidden_states")
      return ForeignTensor{*layer, TensorRole::hidden_in};
    if (rest == "_outputs_0" || rest == "_outputs") return ForeignTensor{*layer, TensorRole::hidden_out};
    if (!rest.starts_with('.')) continue;
    std::string_view own = rest.substr(1);
    if (own.starts_with("attention.")) own.remove_prefix(std::string_view("attention.").size());
    if (const auto role = tensor_role_of(own)) return ForeignTensor{*layer, *role};
    for (const ForeignName& known : module_names)
      if (rest.substr(1) == known.ending) return ForeignTensor{*layer, known.role};
  }
  return std::nullopt;
}

}  // namespace

std::optional<LayerFile> layer_file_of(std::string_view stem) {
  LayerFile file;
  std::string_view rest = stem;
  if (const auto step = digits_after(rest, "step")) {
    file.step = *step;
    if (!rest.starts_with('_')) return std::nullopt;
    rest.remove_prefix(1);
  }
  const auto layer = digits_after(rest, "layer");
  if (!layer || !rest.empty()) return std::nullopt;
  file.layer = *layer;
  return file;
}

std::string module_of_output(std::string_view name) {
  constexpr std::string_view word = ".output";
  const auto at = name.rfind(word);
  if (at == std::string_view::npos) return std::string(name);
  std::string module(name.substr(0, at));
  std::string_view rest = name.substr(at + word.size());
  if (rest.starts_with('s')) rest.remove_prefix(1);
  if (rest.empty() || rest.starts_with('[')) return module.append(rest);
  const auto number = digits_after(rest, ".");
  return number && rest.empty() ? fmt::format("{}[{}]", module, *number) : std::string(name);
}

std::optional<ForeignTensor> foreign_tensor_of(std::string_view name) {
  if (const auto module = of_module(module_of_output(name))) return module;
  const auto dash = name.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  std::string_view rest = name.substr(dash);
  const auto layer = digits_after(rest, "-");
  if (!layer || *layer > most_layer_number || !rest.empty()) return std::nullopt;
  for (const ForeignName& known : graph_names)
    if (name.substr(0, dash) == known.ending) return ForeignTensor{*layer, known.role};
  return std::nullopt;
}

}  // namespace vqscope
