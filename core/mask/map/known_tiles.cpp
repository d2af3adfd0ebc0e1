// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/known_tiles.h"

#include "core/base/parallel.h"
#include "core/mask/map/band_fractions.h"

#include <algorithm>
#include <deque>

namespace vqscope {
namespace {

/// Looks at blocks of tiles: fewer if each is expensive.
Index most_looks(const Mask& mask, const SummaryOptions& options) {
  const Index steps = 4 * mask.look_steps();
  return std::clamp<Index>(16 * options.max_cells / steps, 1 << 10, 1 << 16);
}

struct Block {
  Range rows;
  Range cols;
};

Range edges_of(const std::vector<Index>& edges, Range tiles) {
  return {edges[static_cast<std::size_t>(tiles.begin)], edges[static_cast<std::size_t>(tiles.end)]};
}

}  // namespace

KnownTiles::KnownTiles(const Mask& mask, const TileGrid& grid, const SummaryOptions& options)
    : m_mask(mask),
      m_grid(grid),
      m_options(options),
      m_terms(options.reasons ? std::min(mask.terms().size(), most_reasons) : 0),
      m_budget{.left = mask.counting_steps(options.max_cells, options.stop), .stop = options.stop},
      m_tiles(static_cast<std::size_t>(grid.rows() * grid.cols())) {}

void KnownTiles::count_strips() {
  // Neighbouring strips share little of what is looked at, and threads have some each.
  constexpr Index strip = 64;
  const auto for_each_strip = [&](const auto& body) {
    parallel_for((m_grid.rows() + strip - 1) / strip, m_options.threads, [&](Index i) {
      std::vector<std::uint64_t> counts;
      if (!m_budget.is_over()) body(Range{i * strip, std::min(m_grid.rows(), (i + 1) * strip)}, counts);
    });
  };
  for_each_strip([&](Range rows, std::vector<std::uint64_t>& counts) {
    if (!count_strip(rows, std::nullopt, counts)) return;
    const std::span<const Index> edges = m_grid.col_edges;
    std::size_t x = 0;
    for (Index i = rows.begin; i < rows.end; ++i) {
      const auto height = static_cast<std::uint64_t>(edges_of(m_grid.row_edges, {i, i + 1}).size());
      Tile* tile = &at(i, 0);
      for (std::size_t j = 0; j + 1 < edges.size(); ++j, ++x, ++tile) {
        // Most tiles are masked.
        const std::uint64_t seen = counts[x];
        const std::uint64_t area = height * static_cast<std::uint64_t>(edges[j + 1] - edges[j]);
        *tile = {.fraction = seen == 0 ? 0.0F : visible_fraction(seen, area), .is_counted = true};
      }
    }
  });
  // Whether a picture is exact does not depend on reasons: they take what is left.
  if (m_terms > 0) for_each_strip([&](Range rows, std::vector<std::uint64_t>& counts) { find_reasons(rows, counts); });
}

bool KnownTiles::count_strip(Range rows, std::optional<std::size_t> term, std::vector<std::uint64_t>& counts) {
  counts.resize(static_cast<std::size_t>(rows.size() * m_grid.cols()));
  const std::span<const Index> edges = m_grid.row_edges;
  return m_mask.count_tiles(
      edges.subspan(static_cast<std::size_t>(rows.begin), static_cast<std::size_t>(rows.size()) + 1), m_grid.col_edges,
      term, m_budget, counts);
}

/// The rule of find_reason(), for all tiles of a strip.
void KnownTiles::find_reasons(Range rows, std::vector<std::uint64_t>& counts) {
  std::vector<Tile> found(static_cast<std::size_t>(rows.size() * m_grid.cols()));
  std::vector<float> smallest(found.size(), 2.0F);
  for (std::size_t term = 0; term < m_terms; ++term) {
    // A single term is the mask.
    if (m_terms > 1 && !count_strip(rows, term, counts)) return;
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = 0; j < m_grid.cols(); ++j) {
        const std::size_t x = at(rows, i, j);
        const float fraction = m_terms > 1 ? visible_fraction(counts[x], m_grid.tile(i, j).area()) : at(i, j).fraction;
        if (fraction < smallest[x]) found[x].reason = static_cast<std::uint8_t>(term + 1);
        smallest[x] = std::min(smallest[x], fraction);
      }
  }
  for (Index i = rows.begin; i < rows.end; ++i)
    for (Index j = 0; j < m_grid.cols(); ++j) {
      Tile& tile = at(i, j);
      if (tile.fraction < 0) continue;
      tile.has_reason = true;
      tile.reason = tile.fraction < 1 ? found[at(rows, i, j)].reason : std::uint8_t{0};
    }
}

void KnownTiles::cover() {
  std::deque<Block> open{{{0, m_grid.rows()}, {0, m_grid.cols()}}};
  const Index most = most_looks(m_mask, m_options);
  for (Index looks = 0; looks < most && !open.empty() && !m_options.stop.stop_requested(); ++looks) {
    const auto [rows, cols] = open.front();
    open.pop_front();
    if (settles(rows, cols) || (rows.size() == 1 && cols.size() == 1)) continue;
    const Index row = rows.begin + rows.size() / 2;
    const Index col = cols.begin + cols.size() / 2;
    for (const Range some_rows : {Range{rows.begin, row}, Range{row, rows.end}})
      for (const Range some_cols : {Range{cols.begin, col}, Range{col, cols.end}})
        if (some_rows.size() > 0 && some_cols.size() > 0) open.push_back({some_rows, some_cols});
  }
}

bool KnownTiles::settles(Range rows, Range cols) {
  const Coverage coverage = m_mask.coverage({edges_of(m_grid.row_edges, rows), edges_of(m_grid.col_edges, cols)});
  if (coverage == Coverage::mixed) return false;
  for (Index i = rows.begin; i < rows.end; ++i)
    for (Index j = cols.begin; j < cols.end; ++j) at(i, j).fraction = coverage == Coverage::all ? 1.0F : 0.0F;
  return true;
}

void KnownTiles::count() {
  parallel_for(m_grid.rows(), m_options.threads, [&](Index i) {
    for (Index j = 0; j < m_grid.cols() && m_budget.left > 0; ++j) {
      Tile& tile = at(i, j);
      if (tile.fraction >= 0) continue;
      tile.is_counted = true;
      const Rect cells = m_grid.tile(i, j);
      if (const auto seen = m_mask.count_cells(cells, std::nullopt, m_budget))
        tile.fraction = visible_fraction(*seen, cells.area());
    }
  });
  if (m_terms == 0) return;
  parallel_for(m_grid.rows(), m_options.threads, [&](Index i) {
    for (Index j = 0; j < m_grid.cols() && m_budget.left > 0; ++j) {
      Tile& tile = at(i, j);
      if (tile.is_counted && tile.fraction >= 0 && !tile.has_reason) find_reason(m_grid.tile(i, j), tile);
    }
  });
}

void KnownTiles::find_reason(const Rect& cells, Tile& tile) {
  Tile found = tile;
  found.has_reason = true;
  float smallest = 2;
  for (std::size_t term = 0; term < m_terms && tile.fraction < 1; ++term) {
    // A single term is the mask.
    float fraction = tile.fraction;
    if (m_terms > 1) {
      const auto passed = m_mask.count_cells(cells, term, m_budget);
      if (!passed) return;
      fraction = visible_fraction(*passed, cells.area());
    }
    if (fraction < smallest) found.reason = static_cast<std::uint8_t>(term + 1);
    smallest = std::min(smallest, fraction);
  }
  tile = found;
}

bool KnownTiles::all_known() const {
  return std::ranges::none_of(m_tiles, [](const Tile& tile) { return tile.fraction < 0; });
}

void KnownTiles::store(Summary& out) const {
  for (std::size_t i = 0; i < m_tiles.size(); ++i) {
    const float fraction = m_tiles[i].fraction;
    if (fraction < 0) continue;
    if (m_options.mean) out.mean[i] = fraction;
    if (!m_options.extremes) continue;
    out.min[i] = fraction == 1 ? 1.0F : 0.0F;
    out.max[i] = fraction > 0 ? 1.0F : 0.0F;
  }
}

std::uint8_t KnownTiles::reason(Index row, Index col) const {
  const Tile& tile = at(row, col);
  if (tile.has_reason) return tile.reason;
  const Rect cells = m_grid.tile(row, col);
  const auto term =
      m_mask.masking_term(cells.rows.begin + cells.rows.size() / 2, cells.cols.begin + cells.cols.size() / 2);
  return static_cast<std::uint8_t>(term && *term < most_reasons ? *term + 1 : 0);
}

}  // namespace vqscope
