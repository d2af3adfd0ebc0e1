// SPDX-License-Identifier: GPL-3.0-or-later
// What a mask says when it may take as long as it likes.
#pragma once

#include "core/cells/band_overlap.h"
#include "core/mask/row/row_search.h"

namespace vqscope::test {

inline std::uint64_t visible_count(const Mask& mask, Range rows) {
  CountBudget unlimited;
  return vqscope::visible_count(mask, rows, unlimited).value();
}

inline std::optional<Index> first_empty_row(const Mask& mask) {
  return next_row(mask, {.kind = RowKind::empty, .from = -1}).value();
}

inline std::uint64_t cell_count(std::span<const Band> region, Range rows) {
  CountBudget unlimited;
  return vqscope::cell_count(region, rows, unlimited);
}

inline std::uint64_t common_cells(std::span<const Band> a, std::span<const Band> b, Range rows) {
  CountBudget unlimited;
  return vqscope::common_cells(a, b, rows, unlimited);
}

inline std::vector<Range> empty_rows(std::span<const Band> region, Range rows) {
  CountBudget unlimited;
  return vqscope::empty_rows(region, rows, unlimited);
}

}  // namespace vqscope::test
