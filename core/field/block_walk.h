// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through the cells of a matrix: block by block, and cell by cell in Field::read.
#pragma once

#include "core/base/index.h"
#include "core/field/field.h"

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

/// Writes the cells of a block; value_in(row)(col) is that of one cell.
template <class ValueInRow>
void read_rows(const Rect& block, const CellSpan& out, const ValueInRow& value_in) {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        Cell* next = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row) {
          auto value = value_in(row);
          for (Index col = block.cols.begin; col < block.cols.end; ++col) *next++ = static_cast<Cell>(value(col));
        }
      },
      out);
}

/// Calls fill(numbers) for a destination of real numbers; false for another.
template <class Fill>
bool fill_reals(const CellSpan& out, const Fill& fill) {
  if (const auto* floats = std::get_if<std::span<float>>(&out))
    fill(floats->data());
  else if (const auto* doubles = std::get_if<std::span<double>>(&out))
    fill(doubles->data());
  else
    return false;
  return true;
}

}  // namespace vqscope
