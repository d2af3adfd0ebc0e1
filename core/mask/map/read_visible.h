// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/field/field.h"
#include "core/mask/mask.h"
#include "core/method/curve_set.h"

#include <memory>
#include <stop_token>

namespace vqscope {

/// 1 for each key of the block that its query sees, 0 for the others, row by row. False, and `out`
/// is of no use, once the budget is over.
bool read_visible(const Mask& mask, const Rect& block, CountBudget& budget, CellSpan out);

/// The mask that a field shows, which keeps the field alive; null where the field shows none, and
/// of no field.
std::shared_ptr<const Mask> mask_of(const std::shared_ptr<const Field>& field);

/// How many keys each query of `rows` sees, counted. The field must show a mask with one cell a
/// token; others are refused. Stretches of queries show their mean, and then the set is not exact.
Result<CurveSet> visible_keys(const Field& field, Range rows, Index points, std::stop_token stop = {});

}  // namespace vqscope
