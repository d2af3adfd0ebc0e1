// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// A viewport's grid over a matrix: tile (i, j) covers rows [row_edges[i], row_edges[i+1]) and
/// columns [col_edges[j], col_edges[j+1]). Edges ascend strictly; tiles are whole cells, and each
/// cell is in one tile, so nothing between two pixels is lost.
struct TileGrid {
  std::vector<Index> row_edges;
  std::vector<Index> col_edges;

  Index rows() const { return static_cast<Index>(row_edges.size()) - 1; }
  Index cols() const { return static_cast<Index>(col_edges.size()) - 1; }
  Rect tile(Index i, Index j) const;
  Rect bounds() const;
  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};

/// One axis of a viewport: which tile each pixel shows.
struct PixelAxis {
  std::vector<Index> edges;         ///< of the tile grid; empty when nothing of the matrix is in view
  std::vector<std::int32_t> tiles;  ///< for each pixel its tile, or -1 outside the matrix
};

/// Splits the cell coordinates [first, last) of a matrix side of `extent` cells among `pixels`
/// pixels. Where a pixel is less than a cell the cells are the tiles and pixels share them; else
/// every pixel is a tile of its own. Of a span that is not finite or is empty nothing is in view.
PixelAxis pixel_axis(double first, double last, Index pixels, Index extent);

/// Moves and shrinks [first, last) into the `extent` cells of a matrix side, no smaller than one of
/// them. What is not finite becomes the whole side.
void clamp_span(double& first, double& last, Index extent);

/// The whole cells of a matrix side that [first, last) touches, at least one; the side itself when
/// that is no span.
Range cells_in(double first, double last, Index extent);

/// The cells of `range` in at most `tiles` tiles, sizes as equal as whole cells allow.
std::vector<Index> even_edges(Range range, Index tiles);

/// The middle of each tile, in cells counted from 0: the cell itself where a tile is one cell.
std::vector<double> middles(const std::vector<Index>& edges);

}  // namespace vqscope
