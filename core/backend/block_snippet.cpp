// SPDX-License-Identifier: GPL-3.0-or-later
// Code that reads the lists of blocks of `vqscope export block_mask`.
#include "core/backend/snippet_parts.h"
#include "core/base/sentence.h"

namespace vqscope {
namespace {

constexpr auto written_by = "# blocks.npz is written by: vqscope export block_mask --out blocks.npz\n";

}  // namespace

std::string flex_mask_mod(const MaskStructure& structure, const SequenceLayout& layout) {
  std::string text;
  std::vector<std::string> terms;
  if (structure.exact && !structure.body.empty()) {
    text = lengths_line(layout) + arrays_of(structure, torch_names());
    terms = {expression_of(structure, torch_names())};
  } else if (structure.exact) {
    text = tokens_of(layout, torch_names());
    terms = snippet_conditions(structure, layout, "[q_idx]", "[kv_idx]");
  } else {
    text = dense_visible(structure, layout, torch_names());
    terms = {"visible[q_idx, kv_idx]"};
  }
  return fmt::format(
      "{}\n\n"
      "def mask_mod(b, h, q_idx, kv_idx):\n"
      "    return {}\n\n\n",
      text, terms.empty() ? "q_idx >= 0" : join(terms, " & "));
}

std::string flex_blocks_snippet(const MaskStructure& structure, const SequenceLayout& layout) {
  return fmt::format(
      "import numpy\nimport torch\n"
      "from torch.nn.attention.flex_attention import BlockMask, flex_attention\n\n"
      "{}{}"
      "blocks = {{name: torch.from_numpy(array) for name, array in numpy.load(\"blocks.npz\").items()}}\n"
      "for side, other in ((\"kv\", \"q\"), (\"q\", \"kv\")):\n"
      "    for name in (f\"{{side}}_indices\", f\"full_{{side}}_indices\"):\n"
      "        missing = blocks[f\"{{other}}_num_blocks\"].shape[-1] - blocks[name].shape[-1]\n"
      "        blocks[name] = torch.nn.functional.pad(blocks[name], (0, missing))  # the width is the number of "
      "blocks\n"
      "block_size, lengths = (tuple(blocks.pop(name).tolist()) for name in (\"block_size\", \"lengths\"))\n"
      "block_mask = BlockMask(seq_lengths=lengths, BLOCK_SIZE=block_size, mask_mod=mask_mod, **blocks)\n"
      "q = torch.randn(1, 8, q_length, 64)\n"
      "k = torch.randn(1, 8, kv_length, 64)\n"
      "v = torch.randn(1, 8, kv_length, 64)\n"
      "out = flex_attention(q, k, v, block_mask=block_mask)\n",
      written_by, flex_mask_mod(structure, layout));
}

std::string flash_blocks_snippet() {
  return fmt::format(
      "import numpy\nimport torch\n"
      "from flash_attn.cute.block_sparsity import BlockSparseTensorsTorch\n\n"
      "{}"
      "blocks = {{name: torch.from_numpy(array).cuda() for name, array in numpy.load(\"blocks.npz\").items()}}\n"
      "block_sparse_tensors = BlockSparseTensorsTorch(\n"
      "    mask_block_cnt=blocks[\"kv_num_blocks\"],\n"
      "    mask_block_idx=blocks[\"kv_indices\"],\n"
      "    full_block_cnt=blocks[\"full_kv_num_blocks\"],\n"
      "    full_block_idx=blocks[\"full_kv_indices\"],\n"
      "    block_size=tuple(blocks[\"block_size\"].tolist()))\n"
      "# mask_mod is this mask in CuTe DSL; the kernel calls it in partial blocks:\n"
      "# flash_attn_func(q, k, v, mask_mod=mask_mod, mask_block_cnt=block_sparse_tensors.mask_block_cnt, ...)\n",
      written_by);
}

}  // namespace vqscope
