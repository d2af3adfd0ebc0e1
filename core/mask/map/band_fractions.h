// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"

#include <span>
#include <vector>

namespace vqscope {

/// Summary::reason is a byte, and 0 is none: terms beyond these are not named.
inline constexpr std::size_t most_reasons = 255;

/// seen / cells, 0 only where nothing is visible and 1 only where all is.
float visible_fraction(std::uint64_t seen, std::uint64_t cells);

/// Visible fractions of the tiles over bands, one row of tiles after another; all-0 and all-1
/// segments cost a fill, only tiles on a band's border are counted. A fraction is 0 only where
/// nothing is visible and 1 only where all is.
class BandFractions {
 public:
  /// Tile x has the columns [edges[x], edges[x + 1]); the edges must outlive this.
  explicit BandFractions(std::span<const Index> edges);

  /// Of the tiles over `rows`; `bands` are those that have any of the rows, and cover them all.
  void fill(std::span<const Band> bands, Range rows, float* out);

  /// The same for rows whose bands come in pieces: clear, add the pieces of `rows`, store.
  void clear();
  void add(std::span<const Band> bands, Range piece);
  void store(Range rows, float* out) const;

  /// The visible cells themselves, tile by tile; of the pieces that were added.
  void store_counts(std::uint64_t* out) const;

 private:
  template <class Store>
  void count(const Band& band, Range rows, Range tiles, const Store& store) const;
  void fill_single(const Band& band, Range rows, float* out) const;
  void add_band(const Band& band, Range rows);
  std::uint64_t width(Index x) const;

  std::span<const Index> m_edges;
  Index m_tiles;
  std::vector<std::uint64_t> m_cells;      ///< of border tiles
  std::vector<std::uint64_t> m_row_steps;  ///< rows that see tile x wholly, less those of tile x - 1
};

}  // namespace vqscope
