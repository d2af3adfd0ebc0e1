// SPDX-License-Identifier: GPL-3.0-or-later
// Results of a mask without a budget.
#pragma once

#include "core/mask/row/row_search.h"

namespace vqscope::test {

inline std::uint64_t visible_count(const Mask& mask, Range rows) {
  CountBudget unlimited;
  return vqscope::visible_count(mask, rows, unlimited).value();
}

inline std::optional<Index> first_empty_row(const Mask& mask) {
  return next_row(mask, {.kind = RowKind::empty, .from = -1}).value();
}

}  // namespace vqscope::test
