// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `mask_blocks`: [blocks of queries, blocks of keys] int32, 0 empty, 1 partial, 2 full, of the mask that `visibility`
/// makes of the same values.
Method block_method();

}  // namespace vqscope
