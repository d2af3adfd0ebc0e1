// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/backend/snippet_parts.h"
#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// q, k, v of shape [1, heads, length, 64].
std::string torch_inputs(const std::string& arguments = {}) {
  return fmt::format(
      "q = torch.randn(1, 8, q_length, 64{})\n"
      "k = torch.randn(1, 8, kv_length, 64{})\n"
      "v = torch.randn(1, 8, kv_length, 64{})\n",
      arguments, arguments, arguments);
}

/// is_causal is kv_idx <= q_idx.
bool is_causal_alone(const MaskStructure& structure, const SequenceLayout& layout) {
  return structure == MaskStructure{.causal = true, .exact = true} && layout.past_len() == 0;
}

std::string sdpa(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool causal = is_causal_alone(structure, layout);
  if (causal || structure == MaskStructure{.exact = true})
    return fmt::format(
        "import torch\nimport torch.nn.functional as F\n\n{}{}out = F.scaled_dot_product_attention(q, k, v{}\n",
        lengths_line(layout), torch_inputs(),
        causal ? ", is_causal=True)  # the whole mask, without a tensor" : ")  # every key is visible");
  return fmt::format("{}{}{}out = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)  # True attends\n",
                     snippet_imports(structure, "import torch\nimport torch.nn.functional as F\n"),
                     dense_visible(structure, layout, torch_names()), torch_inputs());
}

std::string mha(const MaskStructure& structure, const SequenceLayout& layout) {
  return fmt::format(
      "{}{}attention = torch.nn.MultiheadAttention(512, 8, batch_first=True)\n"
      "q = torch.randn(1, q_length, 512)\n"
      "k = torch.randn(1, kv_length, 512)\n"
      "out, _ = attention(q, k, k, attn_mask=~visible)  # True is masked\n",
      snippet_imports(structure, "import torch\n"), dense_visible(structure, layout, torch_names()));
}

std::string added(const Backend& backend, const MaskStructure& structure, const SequenceLayout& layout) {
  const std::string dtype = backend.id == "additive_f16"    ? "torch.float16"
                            : backend.id == "additive_bf16" ? "torch.bfloat16"
                                                            : "torch.float32";
  return fmt::format(
      "{}{}bias = torch.zeros(visible.shape, dtype={}).masked_fill(~visible, {})\n"
      "{}out = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)  # added\n",
      snippet_imports(structure, "import torch\nimport torch.nn.functional as F\n"),
      dense_visible(structure, layout, torch_names()), dtype, backend.fill, torch_inputs(", dtype=" + dtype));
}

/// `on_gpu`: with the kernels of FlashAttention-4, which take 16-bit numbers.
std::string flex(const MaskStructure& structure, const SequenceLayout& layout, bool on_gpu = false) {
  std::string text = snippet_imports(structure,
                                     "import torch\nfrom torch.nn.attention.flex_attention import create_block_mask, "
                                     "flex_attention\n");
  if (on_gpu) text += "torch.set_default_device(\"cuda\")\nflex_attention = torch.compile(flex_attention)\n\n";
  return fmt::format(
      "{}{}block_mask = create_block_mask(mask_mod, None, None, q_length, kv_length, device=\"{}\")\n"
      "{}out = flex_attention(q, k, v, block_mask=block_mask{})\n",
      text, flex_mask_mod(structure, layout), on_gpu ? "cuda" : "cpu",
      torch_inputs(on_gpu ? ", dtype=torch.bfloat16" : ""), on_gpu ? ", kernel_options={\"BACKEND\": \"FLASH\"}" : "");
}

std::string padding_2d(const SequenceLayout& layout) {
  return fmt::format(
      "import torch\n\n"
      "{}attention_mask = (kv_doc >= 0).long()[None, :]  # 1 attends\n"
      "position_ids = q_pos[None, :]\n"
      "# out = model(input_ids, attention_mask=attention_mask, position_ids=position_ids)\n",
      tokens_of(layout, torch_names()));
}

/// "(127, 0)", with -1 for no limit.
std::string flash_window(const MaskStructure& structure) {
  const std::string left = structure.window ? to_text(*structure.window - 1) : "-1";
  const bool at_query = structure.causal && structure.window;
  return fmt::format("({}, {})", left, structure.ahead ? to_text(*structure.ahead) : at_query ? "0" : "-1");
}

std::string flash(const MaskStructure& structure, const SequenceLayout& layout, const std::string& module) {
  return fmt::format(
      "import torch\n"
      "from {} import flash_attn_varlen_func\n\n"
      "{}\n\n"
      "def starts(lengths):\n"
      "    ends = torch.tensor(lengths, dtype=torch.int32, device=\"cuda\").cumsum(0, dtype=torch.int32)\n"
      "    return torch.nn.functional.pad(ends, (1, 0))\n\n\n"
      "q = torch.randn(sum(q_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "k = torch.randn(sum(kv_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "v = torch.randn_like(k)\n"
      "out = flash_attn_varlen_func(\n"
      "    q, k, v, starts(q_lengths), starts(kv_lengths), max(q_lengths), max(kv_lengths),\n"
      "    causal={}, window_size={})  # both ends inclusive, bottom-right\n",
      module, packed_lengths(structure, layout), structure.causal ? "True" : "False", flash_window(structure));
}

}  // namespace

std::string backend_snippet(const Backend& backend, const MaskStructure& structure, const SequenceLayout& layout) {
  const auto coverage = backend_coverage(backend, structure, layout);
  const std::string head = coverage.is_complete()
                               ? ""
                               : fmt::format("# {} cannot express: {}\n", backend.title, join(coverage.cannot, ", "));
  if (backend.id == "cudnn") return cudnn_snippet(structure, layout);
  if (backend.polarity == MaskPolarity::added) return added(backend, structure, layout);
  if (backend.id == "flex_attention") return flex(structure, layout);
  if (backend.id == "mha") return mha(structure, layout);
  if (backend.id == "padding_2d") return head + padding_2d(layout);
  if (backend.id == "flash_attention") return head + flash(structure, layout, "flash_attn");
  if (backend.id == "flash_attention_3") return head + flash(structure, layout, "flash_attn_interface");
  if (backend.id == "flash_attention_4") return flex(structure, layout, true);
  if (backend.id == "flex_block_lists") return flex_blocks_snippet(structure, layout);
  if (backend.id == "flash_attention_4_blocks") return flash_blocks_snippet();
  if (backend.id == "xformers") return head + xformers_snippet(structure, layout);
  if (backend.id == "splash_attention") return splash_snippet(structure, layout);
  if (backend.id == "onnx_attention") return onnx_snippet(structure, layout);
  if (backend.id == "mlx") return mlx_snippet(structure, layout);
  if (backend.id == "jax") return jax_snippet(structure, layout);
  return sdpa(structure, layout);
}

}  // namespace vqscope
