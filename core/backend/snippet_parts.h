// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/mask_structure.h"

#include <string_view>

namespace vqscope {

/// Names that differ between torch, jax.numpy and NumPy.
struct ArrayNames {
  std::string module;
  std::string concatenate;
  std::string boolean;
  std::string array;
  std::string clamp;
  std::string load;  ///< an array of NumPy, with its bracket
};
const ArrayNames& torch_names();
const ArrayNames& jax_names();
const ArrayNames& numpy_names();

/// "[3, 5]".
std::string number_list(const std::vector<Index>& numbers);
std::string replaced(std::string text, std::string_view from, std::string_view to);

/// "q_length, kv_length, past_len = 8, 8, 0".
std::string lengths_line(const SequenceLayout& layout);
/// Code for kv_pos, kv_doc, q_pos and q_doc from the lengths.
std::string tokens_of(const SequenceLayout& layout, const ArrayNames& library);
/// Code for q_lengths and kv_lengths of the documents that have a query, for packed kernels.
std::string packed_lengths(const MaskStructure& structure, const SequenceLayout& layout);

/// Conditions over q_pos[q], kv_pos[k], with the given subscripts.
std::vector<std::string> snippet_conditions(const MaskStructure& structure, const SequenceLayout& layout,
                                            const std::string& q, const std::string& k);
/// The arrays that the body of a structure looks into, and the body's expression.
std::string arrays_of(const MaskStructure& structure, const ArrayNames& library);
std::string expression_of(const MaskStructure& structure, const ArrayNames& library);

/// Code for `visible` [q_length, kv_length].
std::string dense_visible(const MaskStructure& structure, const SequenceLayout& layout, const ArrayNames& library);
/// The imports, and numpy's for a mask that is loaded.
std::string snippet_imports(const MaskStructure& structure, const std::string& rest);

/// What FlexAttention's `mask_mod` looks into, and its definition.
std::string flex_mask_mod(const MaskStructure& structure, const SequenceLayout& layout);

// Complete code of each library.
std::string flex_blocks_snippet(const MaskStructure& structure, const SequenceLayout& layout);
std::string flash_blocks_snippet();
std::string xformers_snippet(const MaskStructure& structure, const SequenceLayout& layout);
std::string jax_snippet(const MaskStructure& structure, const SequenceLayout& layout);
std::string splash_snippet(const MaskStructure& structure, const SequenceLayout& layout);
std::string onnx_snippet(const MaskStructure& structure, const SequenceLayout& layout);
std::string mlx_snippet(const MaskStructure& structure, const SequenceLayout& layout);
std::string cudnn_snippet(const MaskStructure& structure, const SequenceLayout& layout);

}  // namespace vqscope
