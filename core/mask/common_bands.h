// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <span>
#include <vector>

namespace vqscope {

/// Appends the cells that two bands share. Where one's end overtakes the other's the rows are split, so each piece is a
/// band again.
void append_common(const Band& a, const Band& b, std::vector<Band>& out);

/// Makes `out` the columns that two rows share; all are sorted and disjoint.
void common_ranges(std::span<const Range> a, std::span<const Range> b, std::vector<Range>& out);

/// The cells of `rows` that both masks see, in no order: a few bands for any number of rows. The masks are of one
/// extent and have bands of their own. False once the budget is over, or there are too many to keep.
bool common_bands(const Mask& a, const Mask& b, Range rows, CountBudget& budget, std::vector<Band>& out);

}  // namespace vqscope
