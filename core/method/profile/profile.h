// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"

#include <stop_token>

namespace vqscope {

/// The values of one row over the columns of `cols`: each cell where there are at most `points`,
/// else min, mean and max of equal segments. `labels`: cells are labels, of which a segment has a
/// most frequent one instead of a mean.
Result<CurveSet> row_profile(const Field& field, Index row, Range cols, Index points, std::stop_token stop = {},
                             bool labels = false);

/// The same down a column.
Result<CurveSet> col_profile(const Field& field, Index col, Range rows, Index points, std::stop_token stop = {},
                             bool labels = false);

}  // namespace vqscope
