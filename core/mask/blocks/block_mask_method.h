// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace vqscope
