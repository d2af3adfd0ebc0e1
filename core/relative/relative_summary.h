// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/relative/distance_table.h"

namespace vqscope {

/// A matrix of a function of relative position, col - (past_len + row).
struct RelativeMatrix {
  const RelativeFunction& function;
  const DistanceTable* table;  ///< the rough values of the view; null where there are none
  Index past_len = 0;
  std::pair<double, double> bounds;  ///< of every value
};

/// Min, max and mean of every tile, exact: float32's own rounding aside, means are right to 1e-8 of the bounds' span.
Result<void> summarize_relative(const RelativeMatrix& matrix, const TileGrid& grid, const SummaryOptions& options,
                                Summary& out);

}  // namespace vqscope
