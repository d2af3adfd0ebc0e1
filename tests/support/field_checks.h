// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/field/field.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vqscope::test {

/// Ascending edges between two cells of [0, extent], tiles of very different sizes.
inline std::vector<Index> random_edges(Random& random, Index extent) {
  const Index begin = pick(random, 0, extent - 1);
  const Index end = pick(random, begin + 1, extent);
  std::vector<Index> edges{begin, end};
  for (Index extra = pick(random, 0, std::min<Index>(end - begin, 12)); extra > 0; --extra)
    edges.push_back(pick(random, begin, end));
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

inline TileGrid random_tile_grid(Random& random, Extent extent) {
  return {random_edges(random, extent.rows), random_edges(random, extent.cols)};
}

inline std::string cell_name(Index row, Index col) { return "(" + to_text(row) + ", " + to_text(col) + ")"; }

/// The first cell where read() differs from at(), or nothing.
inline std::string read_differs(const Field& field, const Rect& block) {
  std::vector<double> cells(static_cast<std::size_t>(block.area()), -777);
  field.read(block, std::span(cells));
  auto next = cells.begin();
  for (Index row = block.rows.begin; row < block.rows.end; ++row)
    for (Index col = block.cols.begin; col < block.cols.end; ++col, ++next)
      if (*next != field.at(row, col))
        return "cell " + cell_name(row, col) + ": read " + to_text(*next) + ", at " + to_text(field.at(row, col));
  return {};
}

/// The first tile whose min, max or mean differs from that of its single cells, or nothing. Cells
/// must be whole numbers.
inline std::string summary_differs(const Field& field, const TileGrid& grid, const SummaryOptions& options = {}) {
  Summary summary;
  if (!field.summarize(grid, options, summary)) return "cancelled";
  if (!summary.exact) return "not exact";
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) {
      const Rect tile = grid.tile(i, j);
      std::vector<double> cells(static_cast<std::size_t>(tile.area()));
      field.read(tile, std::span(cells));
      double sum = 0;
      for (const double cell : cells) sum += cell;
      const auto [min, max] = std::ranges::minmax(cells);
      const auto at = static_cast<std::size_t>(i * grid.cols() + j);
      const auto wrong = [&](const char* plane, double got, double wanted) {
        return std::string(plane) + " of the tile at " + cell_name(tile.rows.begin, tile.cols.begin) + ", " +
               to_text(tile.rows.size()) + " x " + to_text(tile.cols.size()) + ": got " + to_text(got) + ", expected " +
               to_text(wanted);
      };
      const auto mean = static_cast<float>(sum / static_cast<double>(tile.area()));
      if (options.mean && summary.mean[at] != mean) return wrong("mean", summary.mean[at], mean);
      if (options.extremes && summary.min[at] != static_cast<float>(min)) return wrong("min", summary.min[at], min);
      if (options.extremes && summary.max[at] != static_cast<float>(max)) return wrong("max", summary.max[at], max);
    }
  return {};
}

}  // namespace vqscope::test
