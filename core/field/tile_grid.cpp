// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/tile_grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {

Rect TileGrid::tile(Index i, Index j) const {
  const auto r = static_cast<std::size_t>(i);
  const auto c = static_cast<std::size_t>(j);
  return {{row_edges[r], row_edges[r + 1]}, {col_edges[c], col_edges[c + 1]}};
}

Rect TileGrid::bounds() const { return {{row_edges.front(), row_edges.back()}, {col_edges.front(), col_edges.back()}}; }

PixelAxis pixel_axis(double first, double last, Index pixels, Index extent) {
  assert(pixels > 0 && extent > 0);
  PixelAxis axis;
  axis.tiles.assign(static_cast<std::size_t>(pixels), -1);
  const double step = (last - first) / static_cast<double>(pixels);
  if (!(step > 0) || !std::isfinite(step)) return axis;
  // From one cell a pixel on, the cell at a pixel's left border is its first, and the last pixel
  // ends where the span does, not where rounding puts it; below, the cell under a pixel's middle is
  // its only.
  const bool tiles_are_pixels = step >= 1;
  const double offset = tiles_are_pixels ? 0 : 0.5;
  const auto cell_at = [&](Index pixel) {
    const double at = pixel == pixels ? last : std::min(first + (static_cast<double>(pixel) + offset) * step, last);
    return static_cast<Index>(std::clamp(std::floor(at), -1.0, static_cast<double>(extent)));
  };
  for (Index pixel = 0; pixel < pixels; ++pixel) {
    const Index begin = std::max<Index>(cell_at(pixel), 0);
    const Index next = tiles_are_pixels ? cell_at(pixel + 1) : cell_at(pixel) + 1;
    const Index end = std::clamp<Index>(next, 0, extent);
    // Rounding may leave a pixel without a cell of its own: it shares its neighbour's.
    if (end <= begin && (axis.edges.empty() || begin >= extent)) continue;
    if (axis.edges.empty()) axis.edges.push_back(begin);
    if (axis.edges.back() < end) axis.edges.push_back(end);
    axis.tiles[static_cast<std::size_t>(pixel)] = static_cast<std::int32_t>(axis.edges.size()) - 2;
  }
  return axis;
}

void clamp_span(double& first, double& last, Index extent) {
  assert(extent > 0);
  const auto all = static_cast<double>(extent);
  const bool finite = std::isfinite(first) && std::isfinite(last);
  const double size = finite ? std::clamp(last - first, 1.0, all) : all;
  first = finite ? std::clamp(first, 0.0, all - size) : 0;
  last = std::min(first + size, all);
}

Range cells_in(double first, double last, Index extent) {
  assert(extent > 0);
  if (std::isnan(first) || std::isnan(last)) return {0, extent};
  const auto cells = static_cast<double>(extent);
  const auto begin = static_cast<Index>(std::clamp(std::floor(first), 0.0, cells - 1));
  const auto end = static_cast<Index>(std::clamp(std::ceil(last), 0.0, cells));
  return {begin, std::max(end, begin + 1)};
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

std::vector<double> middles(const std::vector<Index>& edges) {
  std::vector<double> x;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    x.push_back(static_cast<double>(edges[i]) + static_cast<double>(edges[i + 1] - edges[i] - 1) / 2);
  return x;
}

}  // namespace vqscope
