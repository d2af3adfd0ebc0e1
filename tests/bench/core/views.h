// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/tile_grid.h"

#include <cmath>
#include <random>
#include <vector>

namespace vqscope::bench {

inline constexpr Index long_sequence = 2097152;

/// side x side pixels over a square matrix: all of it, or windows at zooms that fall between whole
/// cells, one order of magnitude after the other.
inline std::vector<TileGrid> views(Index extent, Index side, bool zoomed_out) {
  std::vector<TileGrid> grids;
  const auto axis = [&](double first, double last) { return pixel_axis(first, last, side, extent).edges; };
  const double whole = static_cast<double>(extent);
  if (zoomed_out) return {{axis(0, whole), axis(0, whole)}};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 16; ++i) {
    // From one cell a pixel up; a view near the diagonal, where there is something to see.
    const double span = static_cast<double>(side) * std::pow(whole / static_cast<double>(side), uniform(random));
    const double row = uniform(random) * (whole - span);
    const double col = std::max(0.0, row - uniform(random) * span * 0.5);
    grids.push_back({axis(row, row + span), axis(col, col + span)});
  }
  return grids;
}

}  // namespace vqscope::bench
