// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/lattice.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {

Rect Lattice::tile(Index i, Index j) const {
  const auto r = static_cast<std::size_t>(i);
  const auto c = static_cast<std::size_t>(j);
  return {{row_edges[r], row_edges[r + 1]}, {col_edges[c], col_edges[c + 1]}};
}

Rect Lattice::bounds() const { return {{row_edges.front(), row_edges.back()}, {col_edges.front(), col_edges.back()}}; }

PixelAxis pixel_axis(double first, double last, Index pixels, Index extent) {
  assert(last > first && pixels > 0 && extent > 0);
  const double step = (last - first) / static_cast<double>(pixels);
  // Above one cell a pixel the cell at a pixel's left border is its first; below, the cell under its middle is its
  // only.
  const double offset = step >= 1 ? 0 : 0.5;
  const auto cell_at = [&](Index pixel) {
    const double at = std::floor(first + (static_cast<double>(pixel) + offset) * step);
    return static_cast<Index>(std::clamp(at, -1.0, static_cast<double>(extent)));
  };
  PixelAxis axis;
  axis.tiles.assign(static_cast<std::size_t>(pixels), -1);
  Index end = 0;
  for (Index pixel = 0; pixel < pixels; ++pixel) {
    const Index begin = std::max<Index>(cell_at(pixel), 0);
    const Index next = step >= 1 ? cell_at(pixel + 1) : cell_at(pixel) + 1;
    end = std::clamp<Index>(next, 0, extent);
    if (end <= begin) continue;
    if (axis.edges.empty() || axis.edges.back() < end) {
      if (axis.edges.empty()) axis.edges.push_back(begin);
      axis.edges.push_back(end);
    }
    axis.tiles[static_cast<std::size_t>(pixel)] = static_cast<std::int32_t>(axis.edges.size()) - 2;
  }
  return axis;
}

std::vector<Index> even_edges(Range range, Index tiles) {
  assert(range.size() > 0 && tiles > 0);
  tiles = std::min(tiles, range.size());
  const Index whole = range.size() / tiles;
  const Index larger = range.size() % tiles;
  std::vector<Index> edges{range.begin};
  for (Index i = 0; i < tiles; ++i) edges.push_back(edges.back() + whole + (i < larger ? 1 : 0));
  return edges;
}

}  // namespace vqscope
