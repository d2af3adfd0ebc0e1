// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Whole rows while they are short, pieces of one row else: in this order the blocks' cells are the
/// matrix row-major. Blocks are small enough to check for a stop between two of them.
class BlockWalk {
 public:
  static constexpr Index max_cells = Index{1} << 17;

  /// `cell_cost`: as Field::cell_cost() has it; blocks of expensive cells are smaller.
  explicit BlockWalk(const Rect& cells, double cell_cost = 1);

  bool done() const { return m_row >= m_cells.rows.end; }
  Rect next();
  double fraction() const;

 private:
  Rect m_cells;
  Index m_most;  ///< cells of a block
  Index m_row;
  Index m_col;
};

}  // namespace vqscope
