// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/blocks/block_lists.h"
#include "core/method/method.h"

namespace vqscope {

/// `block_mask`: the lists of blocks of the mask that `visibility` makes of the same values, as
/// files. No page shows it; its `make` refuses, because the lists of a file's samples and heads are
/// made together (BlockMasks).
const Method& block_mask_method();

inline constexpr std::string_view kv_block_size_name = "kv_block_size";
inline constexpr std::string_view trim_name = "trim";

/// The parameters that `mask_blocks` does not have: the names above.
std::vector<ParameterSpec> block_mask_parameters();

/// The lists for a file, of the mask of these values of `mask_blocks`. A `kv_block_size` of 0 is
/// their block_size.
Result<BlockLists> block_lists_of(const ParameterValues& values, Index kv_block_size, const Work& work);

}  // namespace vqscope
