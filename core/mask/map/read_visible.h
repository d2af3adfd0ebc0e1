// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/mask.h"

namespace vqscope {

/// 1 for each key of the block that its query sees, 0 for the others, row by row. False, and `out` is of no use, once
/// the budget is over.
bool read_visible(const Mask& mask, const Rect& block, CountBudget& budget, CellSpan out);

}  // namespace vqscope
