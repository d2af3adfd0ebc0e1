// SPDX-License-Identifier: GPL-3.0-or-later
// Random sets of cells, and the same as a boolean matrix.
#pragma once

#include "core/cells/cell_set.h"
#include "tests/support/random_numbers.h"

#include <functional>

namespace vqscope::test {

/// All that is looked at of a set; what is random lies within.
inline constexpr Rect case_cells{{0, 14}, {-6, 30}};

using CellMatrix = std::vector<bool>;

/// Row-major over case_cells.
inline CellMatrix matrix_of(const std::function<bool(Index row, Index col)>& holds) {
  CellMatrix matrix;
  for (Index row = case_cells.rows.begin; row < case_cells.rows.end; ++row)
    for (Index col = case_cells.cols.begin; col < case_cells.cols.end; ++col) matrix.push_back(holds(row, col));
  return matrix;
}

inline CellMatrix matrix_of(const CellSet& set) {
  return matrix_of([&](Index row, Index col) { return set.contains(row, col); });
}

inline bool cell_of(const CellMatrix& matrix, Index row, Index col) {
  const Index at = (row - case_cells.rows.begin) * case_cells.cols.size() + col - case_cells.cols.begin;
  return matrix[static_cast<std::size_t>(at)];
}

/// Not right of `b` in any of some rows.
inline bool in_order(const Ramp& a, const Ramp& b, Range rows) {
  for (Index q = rows.begin; q < rows.end; ++q)
    if (a.at(q) > b.at(q)) return false;
  return true;
}

/// Ends that stand, move along or, unless they have to be straight, start and stop to move.
inline Ramp random_end(Random& random, bool is_straight) {
  const Index kind = pick(random, 0, is_straight ? 1 : 2);
  if (kind == 0) return Ramp::constant(pick(random, 0, 24));
  if (kind == 1) return Ramp::moving(pick(random, -6, 12));
  const Index low = pick(random, -2, 20);
  return {pick(random, -12, 12), low, pick(random, low, 24)};
}

inline std::vector<Band> random_columns(Random& random, Range rows, bool is_straight) {
  std::vector<Ramp> ends;
  for (int tries = 0; tries < 12 && ends.size() < 6; ++tries) {
    const Ramp end = random_end(random, is_straight);
    if (ends.empty() || in_order(ends.back(), end, rows)) ends.push_back(end);
  }
  std::vector<Band> columns;
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) columns.push_back({rows, ends[i], ends[i + 1]});
  return columns;
}

inline CellSet random_cells(Random& random, bool is_straight) {
  CellSet set;
  for (Index row = case_cells.rows.begin; row < case_cells.rows.end;) {
    const Range rows{row, pick(random, row + 1, case_cells.rows.end)};
    if (pick(random, 0, 4) > 0)
      for (const Band& band : random_columns(random, rows, is_straight)) set.append(band);
    row = rows.end;
  }
  return set;
}

/// Which properties of a set are violated; empty: none.
inline std::string unsound(const CellSet& set) {
  Index row = case_cells.rows.begin;
  for (const Strip& strip : set.strips()) {
    if (strip.rows.begin < row || strip.rows.size() <= 0) return "strips overlap";
    row = strip.rows.end;
    const Band* last = nullptr;
    for (const Band& band : strip.columns) {
      if (band.rows != strip.rows || !in_order(band.lo, band.hi, strip.rows)) return "no band";
      if (last && !in_order(last->hi, band.lo, strip.rows)) return "bands overlap";
      if (band.cells() == 0) return "a band without a cell";
      if (set.is_straight() && !(straight(band.lo, strip.rows) && straight(band.hi, strip.rows))) return "a bend";
      last = &band;
    }
  }
  return {};
}

}  // namespace vqscope::test
