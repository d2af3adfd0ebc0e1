// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"

#include "core/base/sentence.h"
#include "core/cells/cell_count.h"
#include "core/cells/cell_set.h"

#include <algorithm>

namespace vqscope {
namespace {

Backend additive(const char* id, const char* title, const char* fill, const char* masked, const char* note) {
  return {.id = id,
          .title = title,
          .library = "torch >= 1.9, transformers (4-D float masks)",
          .polarity = MaskPolarity::added,
          .alignment = CausalAlignment::none,
          .fill = fill,
          .masked = masked,
          .dense = true,
          .note = note};
}

std::vector<Backend> all_backends() {
  using enum MaskPolarity;
  using enum CausalAlignment;
  return {
      {.id = "sdpa",
       .title = "torch SDPA, boolean",
       .library = "torch >= 2.0: scaled_dot_product_attention(attn_mask)",
       .polarity = true_attends,
       .alignment = top_left,
       .dense = true,
       .note = "attn_mask together with is_causal=True is refused or masks twice. A row without a visible key is NaN, "
               "or 0 from torch 2.5 on."},
      {.id = "flex_attention",
       .title = "FlexAttention mask_mod",
       .library = "torch >= 2.5: flex_attention(block_mask)",
       .polarity = true_attends,
       .alignment = none,
       .dense = true,
       .note = "A block mask made for one length is wrong for another."},
      {.id = "mha",
       .title = "nn.MultiheadAttention, boolean",
       .library = "torch >= 1.9: attn_mask, key_padding_mask",
       .polarity = true_masked,
       .alignment = none,
       .dense = true,
       .note = "The opposite of SDPA: True is masked, in key_padding_mask too."},
      additive("additive_f32", "Additive, float32", "torch.finfo(torch.float32).min", "-3.4028e38",
               "A row without a visible key becomes uniform over all keys."),
      additive("additive_f16", "Additive, float16", "torch.finfo(torch.float16).min", "-65504",
               "Two such planes added are -inf."),
      additive("additive_bf16", "Additive, bfloat16", "torch.finfo(torch.bfloat16).min", "-3.3895e38",
               "Two such planes added are -inf."),
      additive("additive_inf", "Additive, -inf", "float(\"-inf\")", "-inf", "A row without a visible key is NaN."),
      {.id = "padding_2d",
       .title = "2-D padding mask",
       .library = "transformers >= 4: attention_mask [batch, kv_length]",
       .polarity = true_attends,
       .alignment = none,
       .padding = true,
       .note = "1 attends. Causal and window come from the model's configuration."},
      {.id = "flash_attention",
       .title = "flash-attention arguments",
       .library = "flash-attn >= 2.3: causal, window_size, cu_seqlens",
       .polarity = arguments,
       .alignment = bottom_right,
       .window = "flash_attention",
       .causal = true,
       .documents = true,
       .padding = true,
       .two_sided = true,
       .note = "Aligned top-left before 2.1. Padding is left out of the packed tensors, not masked."},
      {.id = "xformers",
       .title = "xFormers attention bias",
       .library = "xformers >= 0.0.23: memory_efficient_attention(attn_bias)",
       .polarity = arguments,
       .alignment = bottom_right,
       .window = "xformers",
       .causal = true,
       .documents = true,
       .padding = true,
       .two_sided = true,
       // xformers, ops/fmha/attn_bias.py and the lists of biases of each kernel; since April 2026
       // in MSLK.
       .query_blocks = true,
       .note = "LowerTriangularMask is top-left, LowerTriangularFromBottomRightMask is not. Padding is left out of the "
               "packed tensors. LocalAttentionFromBottomRightMask has both sides inclusive. Masks with GappyKeys or "
               "PaddedKeys, paged ones too, have no backward pass; BlockDiagonalGappyKeysMask takes any blocks of "
               "queries that see one range of keys each. FromBottomRight masks of documents need as many keys as "
               "queries in each."},
      {.id = "jax",
       .title = "JAX",
       .library = "jax >= 0.4.32: jax.nn.dot_product_attention",
       .polarity = true_attends,
       .alignment = top_left,
       .window = "jax",
       .dense = true,
       .two_sided = true,
       .note = "An additive mask goes into bias, not into mask. local_window_size=w is (w, w)."},
      {.id = "splash_attention",
       .title = "Splash Attention, LocalMask",
       .library = "jax: pallas.ops.tpu.splash_attention, CausalMask, LocalMask, ChunkedCausalMask, NumpyMask",
       .polarity = true_attends,
       .alignment = top_left,
       .window = "splash_attention",
       .dense = true,
       .two_sided = true,
       // jax, pallas/ops/tpu/splash_attention: splash_attention_mask.py,
       // splash_attention_kernel.py.
       .note =
           "LocalMask(shape, window_size=(left, right), offset) includes both ends, None is no limit: a window of w "
           "keys is (w - 1, 0). With cached keys offset is past_len; ChunkedCausalMask has none. Masks join by | "
           "and &. Documents go into SegmentIds. With shard_count=n, n * n divides q_length; blocks of keys are "
           "multiples of 128."},
      {.id = "flash_attention_3",
       .title = "FlashAttention-3 arguments",
       .library = "flash_attn_interface (Hopper): causal, window_size, attention_chunk, cu_seqlens",
       .polarity = arguments,
       .alignment = bottom_right,
       .window = "flash_attention",
       .causal = true,
       .documents = true,
       .padding = true,
       .two_sided = true,
       // flash-attention, hopper/mask.h and flash_attn_interface.py.
       .note = "attention_chunk=n limits a query to the n keys of its own chunk beside causal and window, without a "
               "backward pass; chunks begin at key 0, queries stand at the end of the keys. Padding is left out of the "
               "packed tensors."},
      {.id = "flash_attention_4",
       .title = "FlashAttention-4 mask_mod",
       .library = "flash_attn.cute (Hopper, Blackwell), or FlexAttention with the backend FLASH",
       .polarity = true_attends,
       .alignment = bottom_right,
       .window = "flash_attention",
       .dense = true,
       .two_sided = true,
       // flash-attention, flash_attn/cute/interface.py.
       .note = "With a mask_mod, causal and window_size are ignored. window_size of None is no limit. On SM 12.0 the "
               "backward pass takes no mask_mod."},
      {.id = "flex_block_lists",
       .title = "FlexAttention block lists",
       .library = "torch >= 2.6: BlockMask of vqscope export block_mask",
       .polarity = true_attends,
       .alignment = none,
       .dense = true,
       .note =
           "create_block_mask evaluates the dense mask first; the lists are made without it. torch takes the number "
           "of blocks from the width of the indices."},
      {.id = "flash_attention_4_blocks",
       .title = "FlashAttention-4 block lists",
       .library = "flash_attn.cute: BlockSparseTensorsTorch of vqscope export block_mask",
       .polarity = true_attends,
       .alignment = none,
       .dense = true,
       // flash-attention, flash_attn/cute/block_sparsity.py.
       .note = "Sizes of blocks are multiples of the kernel's tiles: 128 × 128 on Hopper, 256 queries × 128 keys on "
               "Blackwell. mask_mod is a function of CuTe DSL."},
      {.id = "onnx_attention",
       .title = "ONNX Attention",
       .library = "ONNX opset 23 to 25: Attention(attn_mask, is_causal), left_window_size, right_window_size from 25",
       .polarity = true_attends,
       .alignment = top_left,
       .window = "onnx_attention",
       .dense = true,
       .two_sided = true,
       // onnx, docs of Attention-23, -24 and -25 in onnx/defs/nn.
       .note = "The two window sizes leave the query itself out; -1 is no limit. Causal is top-left without a cache; "
               "with past_key its offset is the cached length, with nonpad_kv_seqlen (from 24 on) nonpad_kv_seqlen - "
               "q_length, which may be negative. A row without a visible key is 0; a shorter attn_mask is padded with "
               "-inf."},
      {.id = "mlx",
       .title = "MLX",
       .library = "mlx: mx.fast.scaled_dot_product_attention(mask)",
       .polarity = true_attends,
       .alignment = bottom_right,
       .dense = true,
       // mlx, python/src/fast.cpp; mlx-lm, models/base.py.
       .note = "mask is \"causal\", a boolean array or an additive one of the type of q, k and v; there is no window "
               "argument: mlx-lm makes an array, in which window_size counts the query itself. sinks are scores of no "
               "key, not keys."},
      {.id = "cudnn",
       .title = "cuDNN SDPA",
       .library = "cudnn-frontend >= 1.10: graph.sdpa(diagonal_alignment, bounds, bias, seq_len)",
       .polarity = added,
       .alignment = top_left,
       .window = "cudnn",
       .fill = "float(\"-inf\")",
       .masked = "-inf",
       .dense = true,
       .two_sided = true,
       // cudnn-frontend, node/sdpa_support_surface.h and test/python/sdpa/fp16_ref.py.
       .note =
           "diagonal_band_left_bound=w keeps w keys with the query itself, diagonal_band_right_bound=r includes r "
           "keys ahead. diagonal_alignment BOTTOM_RIGHT aligns the ends and takes no bias. It and a left bound need "
           "q_length <= kv_length where there is no padding mask; before cuDNN 9.10.2 a left bound needs a right "
           "one and takes no bias."},
  };
}

std::string kv_and_q(Extent extent) { return fmt::format("{} queries, {} keys", extent.rows, extent.cols); }

}  // namespace

std::span<const Backend> backends() {
  static const std::vector<Backend> all = all_backends();
  return all;
}

const Backend* find_backend(std::string_view id) {
  const auto all = backends();
  const auto found = std::ranges::find(all, id, &Backend::id);
  return found == all.end() ? nullptr : &*found;
}

std::string polarity_text(const Backend& backend) {
  switch (backend.polarity) {
    case MaskPolarity::true_attends: return backend.id == "padding_2d" ? "1 attends" : "True attends";
    case MaskPolarity::true_masked: return "True is masked";
    case MaskPolarity::added: return fmt::format("0 attends, {} is masked", backend.masked);
    case MaskPolarity::arguments: return "arguments, no tensor";
  }
  return {};
}

std::string window_text(const Backend& backend, const MaskStructure& structure) {
  const auto* meaning = find_window_meaning(backend.window);
  if (!meaning || !structure.window || (structure.ahead && !backend.two_sided)) return {};
  const auto argument = window_argument_for(*meaning, *structure.window);
  assert(argument);
  const bool pair = meaning->rule.find("(left, right)") != std::string::npos;
  const std::string number = to_text(*argument);
  const std::string right = to_text(structure.ahead.value_or(0));
  const std::string value = pair || structure.ahead ? fmt::format("({}, {})", number, right) : number;
  return fmt::format("{} is {}", structure.window_text(), value);
}

BackendCoverage backend_coverage(const Backend& backend, const MaskStructure& structure, const SequenceLayout& layout) {
  BackendCoverage coverage;
  const bool whole = backend.dense || (backend.query_blocks && structure.exact && !structure.query_blocks.empty());
  const auto add = [&](bool required, bool can, const std::string& what) {
    if (required) (can || whole ? coverage.can : coverage.cannot).push_back(what);
  };
  if (!structure.exact) {
    add(true, false, "an arbitrary mask");
    return coverage;
  }
  add(structure.causal, backend.causal, "causal");
  if (structure.prefix) add(true, false, "prefix " + to_text(*structure.prefix));
  if (structure.window)
    add(true, !backend.window.empty() && (!structure.ahead || backend.two_sided), structure.window_text());
  for (const auto& part : structure.others) add(true, false, part);
  add(structure.documents, backend.documents, "documents");
  add(structure.padding, backend.padding, "padding");
  const bool self = layout.query_source() == QuerySource::keys;
  const bool keys_follow = self && layout.kv_length() > layout.past_len() + layout.q_length();
  add(keys_follow && backend.causal, false, "keys after the last query");
  return coverage;
}

AlignmentDifference alignment_difference(Extent extent) {
  const Index shift = extent.cols - extent.rows;
  const auto triangle = [&](Index offset) {
    return CellSet{{{0, extent.rows}, Ramp::constant(0), {offset + 1, 0, extent.cols}}};
  };
  const CellSet left = triangle(0);
  const CellSet right = triangle(shift);
  const Range rows{0, extent.rows};
  CountBudget unlimited;
  const std::uint64_t both = common_cells(left, right, rows, unlimited);
  AlignmentDifference difference;
  difference.cells = cell_count(left, rows, unlimited) + cell_count(right, rows, unlimited) - 2 * both;
  difference.key = shift > 0 ? 1 : 0;
  difference.empty_rows = std::max<Index>(0, -shift);
  return difference;
}

std::string alignment_text(const Backend& backend, Extent extent) {
  if (backend.alignment == CausalAlignment::none) return "no causal flag: part of the mask";
  const bool left = backend.alignment == CausalAlignment::top_left;
  const std::string name = left ? "top-left" : "bottom-right";
  const auto difference = alignment_difference(extent);
  if (difference.cells == 0) return fmt::format("{}; no difference, {}", name, kv_and_q(extent));
  std::string text = fmt::format(
      "{}; {} differs in {}{}, the first at query {}, key {} ({})", name, left ? "bottom-right" : "top-left",
      difference.cells, difference.cells == 1 ? " cell" : " cells", difference.row, difference.key, kv_and_q(extent));
  if (difference.empty_rows > 0)
    text += fmt::format("; bottom-right leaves {} queries without a key", difference.empty_rows);
  return text;
}

}  // namespace vqscope
