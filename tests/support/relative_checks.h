// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/field_checks.h"

#include <cmath>

namespace vqscope::test {

/// Whether both are NaN, or differ by at most `allowed`.
inline bool alike(double got, double wanted, double allowed) {
  return (std::isnan(got) && std::isnan(wanted)) || std::abs(got - wanted) <= allowed;
}

/// The first cell where read() differs from at() by more than 1e-12 of the field's values, or
/// nothing.
inline std::string relative_read_differs(const Field& field, const Rect& block) {
  std::vector<double> cells(static_cast<std::size_t>(block.area()), -777);
  field.read(block, std::span(cells));
  const auto [low, high] = field.value_range();
  auto next = cells.begin();
  for (Index row = block.rows.begin; row < block.rows.end; ++row)
    for (Index col = block.cols.begin; col < block.cols.end; ++col, ++next)
      if (!alike(*next, field.at(row, col), 1e-12 * std::max(std::abs(low), std::abs(high))))
        return "cell " + cell_name(row, col) + ": read " + to_text(*next) + ", at " + to_text(field.at(row, col));
  return {};
}

/// The first tile whose extremes differ from those of its cells by more than float32's rounding, or
/// whose mean differs by more than that and 1e-7 of the field's range, or nothing. Cells without a
/// value are NaN.
inline std::string relative_summary_differs(const Field& field, const TileGrid& grid,
                                            const SummaryOptions& options = {}) {
  Summary summary;
  if (!field.summarize(grid, options, summary)) return "cancelled";
  if (!summary.exact) return "not exact";
  const auto [lowest, highest] = field.value_range();
  const double rounding = 1.3e-7 * std::max(std::abs(lowest), std::abs(highest));
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) {
      const Rect tile = grid.tile(i, j);
      double min = std::numeric_limits<double>::quiet_NaN();
      double max = min;
      double sum = 0;
      double count = 0;
      for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
        for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
          const double value = field.at(row, col);
          if (std::isnan(value)) continue;
          min = std::fmin(min, value);
          max = std::fmax(max, value);
          sum += value;
          ++count;
        }
      const auto at = static_cast<std::size_t>(i * grid.cols() + j);
      const auto wrong = [&](const char* plane, double got, double wanted) {
        return std::string(plane) + " of the tile at " + cell_name(tile.rows.begin, tile.cols.begin) + ", " +
               to_text(tile.rows.size()) + " x " + to_text(tile.cols.size()) + ": got " + to_text(got) + ", expected " +
               to_text(wanted);
      };
      if (!alike(summary.mean[at], sum / count, 1e-7 * (highest - lowest) + rounding))
        return wrong("mean", summary.mean[at], sum / count);
      if (!alike(summary.min[at], min, rounding)) return wrong("min", summary.min[at], min);
      if (!alike(summary.max[at], max, rounding)) return wrong("max", summary.max[at], max);
    }
  return {};
}

}  // namespace vqscope::test
