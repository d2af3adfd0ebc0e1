// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of Field::read.
#pragma once

#include "core/field/field.h"

namespace vqscope {

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
