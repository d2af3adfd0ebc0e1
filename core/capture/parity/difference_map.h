// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/capture_comparison.h"

namespace vqscope {

/// What surrounds a differing cell, in its sample and head: a map of B - A, and the row on both sides.
struct DifferenceMap {
  Range rows, columns;  ///< that the map shows, of the tensor's; of a large tensor those around the cell
  Index cell_rows = 1, cell_columns = 1;  ///< rows and columns that are one cell of the map
  Index grid_rows = 0, grid_columns = 0;
  /// The largest B - A of each cell; 0 where rounding explains it, infinite where one side alone is finite.
  std::vector<float> grid;
  Index row_begin = 0;  ///< column of the first number of the row
  std::vector<float> row_a, row_b;
};

/// Of the first difference of `comparison`. Reads some MiB at most.
Result<DifferenceMap> difference_map(const Capture& a, const Capture& b, const CaptureComparison& comparison);

}  // namespace vqscope
