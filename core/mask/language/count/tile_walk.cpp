// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_walk.h"

#include <algorithm>
#include <bit>

namespace vqscope::language {
namespace {

/// Approximate nanoseconds per rectangle whose cells depend on the distance alone.
constexpr Index relative_steps = 16;

/// Counts all tiles of a grid with a BlockCounter. Blocks of cells are halved until all their cells
/// are equal, they lie in one tile, or they are so small that their cells are cached. A uniform
/// block is evaluated once, however many tiles it covers, and a block on a border of tiles once for
/// all of them.
class TileWalk {
 public:
  /// `counts` has one element per tile.
  TileWalk(const BlockCounter& counter, std::span<const Index> row_edges, std::span<const Index> col_edges,
           CountBudget& budget, std::span<std::uint64_t> counts)
      : m_walk(counter, budget), m_row_edges(row_edges), m_col_edges(col_edges), m_counts(counts) {}

  /// False once the budget is spent.
  bool run();

 private:
  /// The tiles of `within` that contain any of the cells.
  static Range tiles_of(std::span<const Index> edges, Range within, Range cells);

  Range rows_of(Index tile) const;
  Range cols_of(Index tile) const;
  std::uint64_t& at(Index row, Index col);

  /// Adds the cells of a block that lies in these tiles.
  void add(const BlockSide& rows, const BlockSide& cols, Range row_tiles, Range col_tiles);
  void add_all(const Rect& cells, Range row_tiles, Range col_tiles);
  void add_bits(const BlockSide& rows, const BlockSide& cols, Range row_tiles, Range col_tiles);

  BlockWalk m_walk;
  std::span<const Index> m_row_edges;
  std::span<const Index> m_col_edges;
  std::span<std::uint64_t> m_counts;
};

bool TileWalk::run() {
  std::ranges::fill(m_counts, 0);
  const BlockSides row_sides({m_row_edges.front(), m_row_edges.back()});
  const BlockSides col_sides({m_col_edges.front(), m_col_edges.back()});
  const Range all_rows{0, static_cast<Index>(m_row_edges.size()) - 1};
  const Range all_cols{0, static_cast<Index>(m_col_edges.size()) - 1};
  for (const BlockSide& rows : row_sides) {
    const Range row_tiles = tiles_of(m_row_edges, all_rows, rows.used);
    for (const BlockSide& cols : col_sides) add(rows, cols, row_tiles, tiles_of(m_col_edges, all_cols, cols.used));
  }
  return !m_walk.is_over();
}

Range TileWalk::tiles_of(std::span<const Index> edges, Range within, Range cells) {
  const auto first = edges.begin() + within.begin;
  const auto last = edges.begin() + within.end;
  return {std::upper_bound(first, last, cells.begin) - edges.begin() - 1,
          std::lower_bound(first, last, cells.end) - edges.begin()};
}

Range TileWalk::rows_of(Index tile) const {
  const auto i = static_cast<std::size_t>(tile);
  return {m_row_edges[i], m_row_edges[i + 1]};
}

Range TileWalk::cols_of(Index tile) const {
  const auto j = static_cast<std::size_t>(tile);
  return {m_col_edges[j], m_col_edges[j + 1]};
}

std::uint64_t& TileWalk::at(Index row, Index col) {
  return m_counts[static_cast<std::size_t>(row) * (m_col_edges.size() - 1) + static_cast<std::size_t>(col)];
}

void TileWalk::add(const BlockSide& rows, const BlockSide& cols, Range row_tiles, Range col_tiles) {
  if (m_walk.is_over()) return;
  if (row_tiles.size() == 1 && col_tiles.size() == 1) {
    at(row_tiles.begin, col_tiles.begin) += m_walk.count(rows, cols);
    return;
  }
  if (rows.level == 0 && cols.level == 0) return add_bits(rows, cols, row_tiles, col_tiles);
  const auto holds = m_walk.decided(rows, cols);
  if (holds) {
    if (*holds) add_all({rows.used, cols.used}, row_tiles, col_tiles);
    return;
  }
  for (const Index which : {0, 1}) {
    if (rows.level >= cols.level) {
      const BlockSide half = rows.half(which);
      add(half, cols, tiles_of(m_row_edges, row_tiles, half.used), col_tiles);
    } else {
      const BlockSide half = cols.half(which);
      add(rows, half, row_tiles, tiles_of(m_col_edges, col_tiles, half.used));
    }
  }
}

void TileWalk::add_all(const Rect& cells, Range row_tiles, Range col_tiles) {
  for (Index i = row_tiles.begin; i < row_tiles.end; ++i) {
    const auto height = static_cast<std::uint64_t>(common(rows_of(i), cells.rows).size());
    for (Index j = col_tiles.begin; j < col_tiles.end; ++j)
      at(i, j) += height * static_cast<std::uint64_t>(common(cols_of(j), cells.cols).size());
  }
}

void TileWalk::add_bits(const BlockSide& rows, const BlockSide& cols, Range row_tiles, Range col_tiles) {
  const BlockWalk::Bits& bits = m_walk.bits(rows, cols);
  std::array<std::uint32_t, std::size_t{BlockPatterns::leaf}> wanted{};
  const auto before = [&](Index end) { return (std::uint32_t{1} << (end - cols.begin())) - 1; };
  for (Index j = col_tiles.begin; j < col_tiles.end; ++j) {
    const Range keys = common(cols_of(j), cols.used);
    wanted[static_cast<std::size_t>(j - col_tiles.begin)] = before(keys.end) & ~before(keys.begin);
  }
  for (Index i = row_tiles.begin; i < row_tiles.end; ++i) {
    const Range queries = common(rows_of(i), rows.used);
    std::uint64_t* counts = &at(i, col_tiles.begin);
    for (Index q = queries.begin; q < queries.end; ++q) {
      const std::uint32_t row = bits[static_cast<std::size_t>(q - rows.begin())];
      for (std::size_t j = 0; row != 0 && j < static_cast<std::size_t>(col_tiles.size()); ++j)
        counts[j] += static_cast<std::uint64_t>(std::popcount(row & wanted[j]));
    }
  }
}

}  // namespace

std::optional<std::uint64_t> BlockCounter::count(const Rect& cells, CountBudget& budget) const {
  if (m_relative) return budget.spend(relative_steps) ? std::optional(m_relative->count(cells)) : std::nullopt;
  return BlockWalk(*this, budget).count(cells);
}

bool BlockCounter::count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges, CountBudget& budget,
                               std::span<std::uint64_t> counts) const {
  if (!m_relative) return TileWalk(*this, row_edges, col_edges, budget, counts).run();
  if (!budget.spend(relative_steps / 4 * static_cast<Index>(counts.size()))) return false;
  m_relative->count_tiles(row_edges, col_edges, counts);
  return true;
}

std::optional<Coverage> BlockCounter::certain_coverage(const Rect& cells, CountBudget& budget) const {
  if (!m_relative) return BlockWalk(*this, budget).certain_coverage(cells);
  const auto seen = count(cells, budget);
  if (!seen) return std::nullopt;
  return *seen == 0 ? Coverage::none : *seen == cells.area() ? Coverage::all : Coverage::mixed;
}

Coverage BlockCounter::coverage(const Rect& cells) const {
  CountBudget budget;
  return BlockWalk(*this, budget).coverage(cells);
}

}  // namespace vqscope::language
