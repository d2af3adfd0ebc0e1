// SPDX-License-Identifier: GPL-3.0-or-later
// Code for libraries whose mask is an object or arguments of their own.
#include "core/backend/snippet_parts.h"

#include "core/base/sentence.h"
#include "core/mask/layout_regions.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The expression that makes the bias of xFormers.
std::string xformers_bias(const MaskStructure& structure, bool square) {
  const std::string window = structure.window ? to_text(*structure.window) : "";
  std::string made = "fmha.attn_bias.BlockDiagonalMask.from_seqlens(q_lengths, kv_lengths)";
  if (structure.window)
    made += square ? ".make_causal().make_local_attention(" + window + ")"
                   : ".make_causal().make_local_attention_from_bottomright(" + window + ")";
  else if (structure.causal)
    made += square ? ".make_causal()" : ".make_causal_from_bottomright()";
  return made;
}

/// The key ranges of each block of queries; they may overlap and leave gaps.
std::string xformers_blocks(const MaskStructure& structure, const SequenceLayout& layout) {
  std::vector<Index> queries;
  std::vector<Index> starts;
  std::vector<Index> lengths;
  for (const QueryBlock& block : structure.query_blocks) {
    queries.push_back(block.queries);
    starts.push_back(block.keys.begin);
    lengths.push_back(block.keys.size());
  }
  starts.push_back(layout.kv_length());
  return fmt::format(
      "import torch\n"
      "from xformers.ops import fmha\n\n"
      "# each block of queries sees one range of keys{}; there is no backward pass\n"
      "attn_bias = fmha.attn_bias.BlockDiagonal{}GappyKeysMask.from_seqlens(\n"
      "    q_seqlen={}, kv_seqstarts={}, kv_seqlen={})\n"
      "q = torch.randn(1, {}, 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "k = torch.randn(1, {}, 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "out = fmha.memory_efficient_attention_forward(q, k, k, attn_bias=attn_bias)\n",
      structure.blocks_are_causal ? ", its last query all of it" : "",
      structure.blocks_are_causal ? "CausalWithOffset" : "", number_list(queries), number_list(starts),
      number_list(lengths), layout.q_length(), layout.kv_length());
}

/// Causal, with or without a window, of one document: expressed by arguments without a tensor.
bool is_band(const MaskStructure& structure, const SequenceLayout& layout) {
  return structure.exact && structure.others.empty() && !structure.prefix && !structure.documents &&
         padding_count(layout) == 0 && (structure.causal || structure.ahead);
}

/// The length of causal chunks from key 0 on, of which the last may be shorter.
std::optional<Index> chunk_of(const MaskStructure& structure, const SequenceLayout& layout) {
  if (!structure.exact || !structure.causal || !structure.documents || structure.window || !structure.others.empty())
    return {};
  if (padding_count(layout) > 0 || layout.q_length() != layout.kv_length()) return {};
  const auto chunks = layout.kv_runs();
  const Index chunk = chunks.front().tokens.size();
  const auto whole = chunks.first(chunks.size() - 1);
  const bool equal = std::ranges::all_of(whole, [&](const TokenRun& run) { return run.tokens.size() == chunk; });
  return equal && chunks.back().tokens.size() <= chunk ? std::optional(chunk) : std::nullopt;
}

bool is_at_the_end(const SequenceLayout& layout) { return layout.kv_length() == layout.past_len() + layout.q_length(); }

}  // namespace

std::string xformers_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  if (structure.exact && !structure.query_blocks.empty()) return xformers_blocks(structure, layout);
  const bool square = layout.q_length() == layout.kv_length();
  const bool plain = !structure.documents && padding_count(layout) == 0 && structure.causal;
  std::string bias = xformers_bias(structure, square);
  if (plain && structure.window)
    bias = "fmha.attn_bias.LowerTriangularFromBottomRightLocalAttentionMask(" + to_text(*structure.window) + ")";
  if (plain && !structure.window)
    bias = square ? "fmha.attn_bias.LowerTriangularMask()" : "fmha.attn_bias.LowerTriangularFromBottomRightMask()";
  std::string keys = "sum(kv_lengths)";
  if (structure.ahead && !structure.documents) {
    bias = fmt::format("fmha.attn_bias.LocalAttentionFromBottomRightMask(window_left={}, window_right={})",
                       *structure.window - 1, *structure.ahead);
  } else if (structure.ahead) {  // whose keys are padded to the longest document
    bias = fmt::format(
        "fmha.attn_bias.BlockDiagonalLocalAttentionPaddedKeysMask.from_seqlens_local(  # no backward pass\n"
        "    q_lengths, max(kv_lengths), kv_lengths, window_left={}, window_right={})",
        *structure.window - 1, *structure.ahead);
    keys = "len(kv_lengths) * max(kv_lengths)";
  }
  const bool nothing = !structure.causal && !structure.ahead && !structure.documents && padding_count(layout) == 0;
  return fmt::format(
      "import torch\n"
      "from xformers.ops import fmha\n\n"
      "{}attn_bias = {}\n"
      "q = torch.randn(1, sum(q_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "k = torch.randn(1, {}, 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "out = fmha.memory_efficient_attention(q, k, k, attn_bias=attn_bias)\n",
      packed_lengths(structure, layout), nothing ? "None" : bias, keys);
}

std::string jax_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool square = layout.q_length() == layout.kv_length();
  const bool flags = structure.exact && square && layout.query_source() == QuerySource::keys && !structure.prefix &&
                     structure.others.empty() && !structure.documents && padding_count(layout) == 0 &&
                     (structure.causal || structure.ahead || !structure.window);
  const std::string inputs =
      "keys = jax.random.split(jax.random.key(0), 3)\n"
      "q = jax.random.normal(keys[0], (1, q_length, 8, 64))\n"
      "k = jax.random.normal(keys[1], (1, kv_length, 8, 64))\n"
      "v = jax.random.normal(keys[2], (1, kv_length, 8, 64))\n";
  if (!flags)
    return fmt::format("{}{}{}out = jax.nn.dot_product_attention(q, k, v, mask=visible[None, None])  # True attends\n",
                       snippet_imports(structure, "import jax\nimport jax.numpy as jnp\n"),
                       dense_visible(structure, layout, jax_names()), inputs);
  std::string arguments = structure.causal ? ", is_causal=True" : "";
  if (structure.window)
    arguments += fmt::format(", local_window_size=({}, {})", *structure.window - 1, structure.ahead.value_or(0));
  return fmt::format("import jax\n\n{}{}out = jax.nn.dot_product_attention(q, k, v{})\n", lengths_line(layout), inputs,
                     arguments);
}

std::string splash_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  const std::string kernels = "jax.experimental.pallas.ops.tpu.splash_attention";
  std::string mask = "splash_attention_mask.NumpyMask(numpy.asarray(visible))";
  std::string before = dense_visible(structure, layout, numpy_names());
  if (is_band(structure, layout)) {
    before = lengths_line(layout);
    mask = structure.window ? fmt::format("splash_attention_mask.LocalMask((q_length, kv_length), ({}, {}), past_len)",
                                          *structure.window - 1, structure.ahead.value_or(0))
                            : "splash_attention_mask.CausalMask((q_length, kv_length), past_len)";
  } else if (const auto chunk = chunk_of(structure, layout)) {
    before = lengths_line(layout);
    mask = fmt::format("splash_attention_mask.ChunkedCausalMask((q_length, kv_length), {})", *chunk);
  }
  return fmt::format(
      "import jax\nimport numpy\n"
      "from {} import splash_attention_kernel, splash_attention_mask\n\n"
      "{}mask = {}\n"
      "kernel = splash_attention_kernel.make_splash_mha_single_device(splash_attention_mask.MultiHeadMask([mask] * "
      "8))\n"
      "keys = jax.random.split(jax.random.key(0), 3)\n"
      "q = jax.random.normal(keys[0], (8, q_length, 128))\n"
      "k = jax.random.normal(keys[1], (8, kv_length, 128))\n"
      "v = jax.random.normal(keys[2], (8, kv_length, 128))\n"
      "out = kernel(q, k, v)\n",
      kernels, before, mask);
}

std::string onnx_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool flags = is_band(structure, layout) && layout.past_len() == 0 && is_at_the_end(layout);
  std::string attributes = flags && structure.causal ? "is_causal=1" : "is_causal=0";
  if (flags && structure.window)
    attributes +=
        fmt::format(", left_window_size={}, right_window_size={}", *structure.window - 1, structure.ahead.value_or(0));
  const std::string opset = flags && structure.window ? "25" : "24";
  return fmt::format(
             "import numpy\nfrom onnx import helper\n\n"
             "{}node = helper.make_node(\"Attention\", [\"Q\", \"K\", \"V\"{}], [\"Y\"], {})  # opset {}\n",
             flags ? lengths_line(layout) : dense_visible(structure, layout, numpy_names()),
             flags ? "" : ", \"attn_mask\"", attributes, opset) +
         (flags ? "" : "attn_mask = visible  # True takes part\n");
}

std::string mlx_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool flag = is_band(structure, layout) && structure.causal && !structure.window && is_at_the_end(layout);
  return fmt::format(
      "import mlx.core as mx\nimport numpy\n\n"
      "{}q = mx.random.normal((1, 8, q_length, 64))\n"
      "k = mx.random.normal((1, 8, kv_length, 64))\n"
      "v = mx.random.normal((1, 8, kv_length, 64))\n"
      "out = mx.fast.scaled_dot_product_attention(q, k, v, scale=0.125, mask={})\n",
      flag ? lengths_line(layout) : dense_visible(structure, layout, numpy_names()),
      flag ? "\"causal\"" : "mx.array(visible)");
}

std::string cudnn_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool band = is_band(structure, layout) && is_at_the_end(layout);
  std::string arguments = "bias=bias";
  std::string before =
      dense_visible(structure, layout, numpy_names()) + "additive = numpy.where(visible, 0, -numpy.inf)\n";
  if (band) {
    before = lengths_line(layout);
    arguments = fmt::format("diagonal_alignment=cudnn.diagonal_alignment.BOTTOM_RIGHT, diagonal_band_right_bound={}",
                            structure.ahead.value_or(0));
    if (structure.window) arguments += fmt::format(", diagonal_band_left_bound={}", *structure.window);
  }
  return fmt::format(
      "import cudnn\nimport numpy\n\n"
      "{}# graph = cudnn.pygraph(...); q, k, v{} = graph.tensor(...)\n"
      "def attention(graph, q, k, v{}):\n"
      "    return graph.sdpa(q, k, v, generate_stats=False, attn_scale=0.125, {})\n",
      before, band ? "" : ", bias", band ? "" : ", bias", arguments);
}

}  // namespace vqscope
