// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/mask.h"

#include <vector>

namespace vqscope {

/// Exact values of tiles over a mask with too many rows to read.
class KnownTiles {
 public:
  KnownTiles(const Mask& mask, const TileGrid& grid, const SummaryOptions& options);

  /// Counts all tiles together where the mask can, a strip of the picture at a time.
  void count_strips();

  /// Asks the mask about blocks of tiles, large ones first, so that what is looked at helps
  /// wherever it is.
  void cover();

  /// Counts the cells of the tiles that are left, one by one, until about SummaryOptions::max_cells
  /// nanoseconds are spent, count_strips() included.
  void count();

  bool all_known() const;

  /// Puts what is known into the planes of a summary.
  void store(Summary& out) const;

  /// For a counted tile, the term that masks most of it, as in VisibilityField; else that of its
  /// middle.
  std::uint8_t reason(Index row, Index col) const;

 private:
  struct Tile {
    float fraction = -1;      ///< below 0: not known
    bool is_counted = false;  ///< or was to be
    bool has_reason = false;
    std::uint8_t reason = 0;
  };

  Tile& at(Index row, Index col) { return m_tiles[static_cast<std::size_t>(row * m_grid.cols() + col)]; }
  const Tile& at(Index row, Index col) const { return m_tiles[static_cast<std::size_t>(row * m_grid.cols() + col)]; }

  /// Where a tile of a strip stands among its counts.
  std::size_t at(Range strip, Index row, Index col) const {
    return static_cast<std::size_t>((row - strip.begin) * m_grid.cols() + col);
  }

  /// Whether the mask knows all of a block of tiles.
  bool settles(Range rows, Range cols);
  /// Counts of the tiles of some rows; false where they cannot be had together.
  bool count_strip(Range rows, std::optional<std::size_t> term, std::vector<std::uint64_t>& counts);
  void find_reasons(Range rows, std::vector<std::uint64_t>& counts);
  void find_reason(const Rect& cells, Tile& tile);

  const Mask& m_mask;
  const TileGrid& m_grid;
  const SummaryOptions& m_options;
  std::size_t m_terms;
  CountBudget m_budget;
  std::vector<Tile> m_tiles;
};

}  // namespace vqscope
