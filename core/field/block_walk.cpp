// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/block_walk.h"

#include <algorithm>

namespace vqscope {

Rect BlockWalk::next() {
  const Range cols{m_col, std::min(m_cells.cols.end, m_col + max_cells)};
  const bool whole_rows = m_cells.cols.size() <= max_cells;
  const Index count = whole_rows ? std::max<Index>(1, max_cells / m_cells.cols.size()) : 1;
  const Range rows{m_row, std::min(m_cells.rows.end, m_row + count)};
  m_col = cols.end;
  if (m_col == m_cells.cols.end) {
    m_col = m_cells.cols.begin;
    m_row = rows.end;
  }
  return {rows, cols};
}

double BlockWalk::fraction() const {
  const double in_row = static_cast<double>(m_col - m_cells.cols.begin) / static_cast<double>(m_cells.cols.size());
  return (static_cast<double>(m_row - m_cells.rows.begin) + in_row) / static_cast<double>(m_cells.rows.size());
}

}  // namespace vqscope
