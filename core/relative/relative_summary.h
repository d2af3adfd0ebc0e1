// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/field/tile_grid.h"
#include "core/relative/segment_sums.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// A matrix of a function of relative position, col - (past_len + row).
struct RelativeMatrix {
  const RelativeFunction& function;
  const DistanceTable* table;  ///< the rough values of the view; null where there are none
  Index past_len = 0;
  std::pair<double, double> bounds;  ///< of every value
};

/// Min, max and mean of every tile, exact: float32's own rounding aside, means are right to 1e-8 of
/// the bounds' span.
Result<void> summarize_relative(const RelativeMatrix& matrix, const TileGrid& grid, const SummaryOptions& options,
                                Summary& out);

/// The relative positions that belong to the corners of a tile grid's tiles, col_edge + 1 -
/// (past_len + row_edge). Of a viewport of a million tiles they are a few thousand, because pixels
/// are about alike.
class CornerSet {
 public:
  CornerSet(const TileGrid& grid, Index past_len);

  /// Ascending, with those of `more` among them; each once.
  std::vector<Index> sorted_with(const std::vector<Index>& more);

  /// After sorted_with: where the corner of a row edge and a column edge stands in it.
  std::uint32_t rank(Index row_edge, Index col_edge) const {
    return m_ranks[m_ids[static_cast<std::size_t>(row_edge * m_cols + col_edge)]];
  }

 private:
  Index m_cols;                        ///< column edges
  std::vector<Index> m_values;         ///< by id, in the order of their discovery
  std::vector<std::uint32_t> m_ids;    ///< [row edges, column edges]
  std::vector<std::uint32_t> m_ranks;  ///< by id
};

}  // namespace vqscope
