// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <string_view>

namespace vqscope {

/// The batch and head arguments of the line create_block_mask(mask_mod, B=None, H=None, ...) of a
/// mask's text.
struct BlockMaskCall {
  bool one_for_batch = false;  ///< B is None or 1: one mask serves every row of the batch
  bool one_for_heads = false;  ///< H is None or 1
};

/// Reads the first such call. Both are false without a call, or if the arguments are variables.
BlockMaskCall block_mask_call(std::string_view text);

}  // namespace vqscope
