// SPDX-License-Identifier: GPL-3.0-or-later
// Where two masks differ, row by row.
#pragma once

#include "core/base/result.h"
#include "core/mask/mask.h"
#include "core/mask/mask_difference.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace vqscope {

/// The keys that one of two rows alone sees: sorted and disjoint. Runs that touch are apart, because
/// the first row sees one of them and the second the other.
std::vector<Range> differing_keys(std::span<const Range> first, std::span<const Range> second);

/// The first cell of the next run of keys in which the masks differ, in the row of `from` or a later
/// one; backwards, of the run before it. `from` need not be a cell: {-1, 0} and {rows, 0} stand before
/// and after all. Masks of one extent. Errors as those of next_row().
Result<std::optional<MaskCell>> next_differing_run(const Mask& first, const Mask& second, MaskCell from, bool forwards,
                                                   const std::stop_token& stop = {});

}  // namespace vqscope
