// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <string_view>

namespace vqscope {

/// What the line create_block_mask(mask_mod, B=None, H=None, ...) of a mask's text says.
struct BlockMaskCall {
  bool one_for_batch = false;  ///< B is None or 1: one mask serves every row of the batch
  bool one_for_heads = false;  ///< H is None or 1
};

/// Of the first such call; nothing of it where there is none, or it names variables.
BlockMaskCall block_mask_call(std::string_view text);

}  // namespace vqscope
