// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Whole rows while they are short, pieces of one row else: in this order the blocks' cells are the matrix row-major.
class BlockWalk {
 public:
  static constexpr Index max_cells = Index{1} << 17;

  explicit BlockWalk(const Rect& cells) : m_cells(cells), m_row(cells.rows.begin), m_col(cells.cols.begin) {}

  bool done() const { return m_row >= m_cells.rows.end; }
  Rect next();
  double fraction() const;

 private:
  Rect m_cells;
  Index m_row;
  Index m_col;
};

}  // namespace vqscope
