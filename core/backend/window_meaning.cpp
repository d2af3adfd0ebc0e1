// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/window_meaning.h"

#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace vqscope {
namespace {

Index excluded(Index w) { return w - 1; }
Index included(Index w) { return w; }
Index halved(Index w) { return w / 2; }

}  // namespace

std::optional<Index> window_argument_for(const WindowMeaning& meaning, Index keys) {
  if (meaning.both_ways || meaning.first != 0) return std::nullopt;
  return meaning.keys(keys) == keys ? keys : keys - 1;
}

std::string window_argument_text(const WindowMeaning& meaning, Index keys) {
  if (const auto argument = window_argument_for(meaning, keys)) return to_text(*argument);
  return meaning.both_ways ? "cannot: looks both ways" : "cannot: masks the query itself";
}

std::span<const WindowMeaning> window_meanings() {
  // clang-format off
  static const std::vector<WindowMeaning> all{
      {"hf_causal", "Hugging Face, causal", "kv_idx > q_idx - sliding_window", excluded},
      {"hf_bidirectional", "Hugging Face, bidirectional", "abs(q_idx - kv_idx) <= sliding_window", included, 0, true},
      {"flash_attention", "flash-attention", "window_size=(left, right), both ends inclusive", included},
      {"attention_gym", "attention-gym", "q_idx - kv_idx <= window_size", included},
      {"xformers", "xFormers", "window_size counts the query itself", excluded},
      {"gpt_oss", "gpt-oss", "masked where tril(diagonal=-sliding_window)", excluded},
      {"deepmind", "DeepMind", "abs(q_idx - kv_idx) <= window // 2", halved, 0, true},
      {"transformer_vq", "Transformer-VQ", "q_idx - kv_idx <= mem_len", included},
      {"meliad", "meliad", "0 < q_idx - kv_idx <= window, the query itself masked", included, 1},
      {"transformer_xl", "Transformer-XL, same_length", "mem_len keys for every query", excluded},
      {"jax", "JAX", "local_window_size=(left, right), both ends inclusive", included},
      {"splash_attention", "Splash LocalMask", "window_size=(left, right), both ends inclusive", included},
      {"onnx_attention", "ONNX Attention-25", "left_window_size, right_window_size: (left, right), both ends inclusive", included},
      {"cudnn", "cuDNN", "masked at or before q_idx - diagonal_band_left_bound", excluded},
      {"mlx_lm", "mlx-lm", "create_causal_mask: linds < rinds + window_size", excluded},
      {"vllm", "vLLM", "window_size is (sliding_window - 1, 0)", excluded},
      {"vllm_encoder", "vLLM, encoder", "window_size is (sliding_window - 1, sliding_window - 1)", excluded, 0, true},
  };
  // clang-format on
  return all;
}

const WindowMeaning* find_window_meaning(std::string_view id) {
  const auto all = window_meanings();
  const auto found = std::ranges::find(all, id, &WindowMeaning::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace vqscope
