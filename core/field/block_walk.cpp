// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/block_walk.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Cost of all cells of a block: some ten milliseconds.
constexpr double most_cost = 1 << 23;

Index most_cells(double cell_cost) {
  const double cells = most_cost / std::max(cell_cost, 1.0);
  return std::max<Index>(1, static_cast<Index>(std::min(cells, static_cast<double>(BlockWalk::max_cells))));
}

}  // namespace

BlockWalk::BlockWalk(const Rect& cells, double cell_cost)
    : m_cells(cells), m_most(most_cells(cell_cost)), m_row(cells.rows.begin), m_col(cells.cols.begin) {}

Rect BlockWalk::next() {
  const Range cols{m_col, std::min(m_cells.cols.end, m_col + m_most)};
  const bool whole_rows = m_cells.cols.size() <= m_most;
  const Index count = whole_rows ? std::max<Index>(1, m_most / m_cells.cols.size()) : 1;
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
