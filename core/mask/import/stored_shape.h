// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of a mask's tensor, and which of its dimensions serve several indices.
#pragma once

#include "core/base/index.h"

#include <span>
#include <string>

namespace vqscope {

/// "[3, 1, 6, 6]".
std::string mask_shape_text(std::span<const Index> shape);

/// What a stored shape [B, H, q, k] or [B, q, k] leaves to broadcasting, for masks of `queries` rows:
/// "one for all samples and heads", "one for all heads, one row for all 6 queries"; empty: nothing.
std::string mask_broadcast_text(std::span<const Index> shape, Index queries);

}  // namespace vqscope
