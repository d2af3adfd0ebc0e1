// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// `visibility`: [q_length, kv_length] bool, true where the query sees the key.
Method visibility_method();

/// `mask_blocks`: [blocks of queries, blocks of keys] int32, 0 empty, 1 partial, 2 full, of the
/// mask that `visibility` makes of the same values.
Method block_method();

/// Masks as matrices: cell by cell, and in blocks. Made once.
std::span<const Method> mask_methods();

}  // namespace vqscope
