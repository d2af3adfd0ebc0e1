// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/count/block_walk.h"

namespace vqscope::language {

/// Counts all tiles of a grid with a BlockCounter: blocks of cells are halved until they are alike everywhere, lie in
/// one tile, or are so small that their cells are kept. What is masked as a whole costs one look, however many tiles it
/// lies in, and what lies on a border of tiles is looked at once for all of them.
class TileWalk {
 public:
  /// `counts` is as long as the tiles are many.
  TileWalk(const BlockCounter& counter, std::span<const Index> row_edges, std::span<const Index> col_edges,
           CountBudget& budget, std::span<std::uint64_t> counts)
      : m_walk(counter, budget), m_row_edges(row_edges), m_col_edges(col_edges), m_counts(counts) {}

  /// False once the budget is spent.
  bool run();

 private:
  /// Of the tiles `within` those that have any of the cells.
  static Range tiles_of(std::span<const Index> edges, Range within, Range cells);

  Range rows_of(Index tile) const;
  Range cols_of(Index tile) const;
  std::uint64_t& at(Index row, Index col);

  /// The cells of a block; it lies in these tiles.
  void add(const BlockSide& rows, const BlockSide& cols, Range row_tiles, Range col_tiles);
  void add_all(const Rect& cells, Range row_tiles, Range col_tiles);
  void add_bits(const BlockSide& rows, const BlockSide& cols, Range row_tiles, Range col_tiles);

  BlockWalk m_walk;
  std::span<const Index> m_row_edges;
  std::span<const Index> m_col_edges;
  std::span<std::uint64_t> m_counts;
};

}  // namespace vqscope::language
