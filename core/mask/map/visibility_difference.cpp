// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/visibility_difference.h"

#include "core/base/parallel.h"
#include "core/cells/cell_count.h"
#include "core/cells/ranges.h"
#include "core/field/cell_summary.h"
#include "core/mask/map/band_fractions.h"
#include "core/mask/map/read_visible.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace vqscope {
namespace {

bool by_bands(const Mask& first, const Mask& second) { return first.has_bands() && second.has_bands(); }

/// Cost of a row of a mask without bands, in intervals.
Index cost_of_row(const Mask& mask) { return mask.has_bands() ? 1 : mask.row_cost(); }

/// Counts one row of tiles after another.
class DifferenceRows {
 public:
  /// `intervals` counts those read from masks without bands of their own.
  DifferenceRows(const Mask& first, const Mask& second, const TileGrid& grid, const SummaryOptions& options,
                 std::atomic<Index>& intervals)
      : m_masks{&first, &second},
        m_grid(grid),
        m_options(options),
        m_intervals(intervals),
        m_tiles(3, BandFractions(grid.col_edges)),
        m_counts(3, std::vector<std::uint64_t>(grid.col_edges.size() - 1)) {
    m_budget.stop = options.stop;
  }

  void fill(Index i, Summary& out) {
    const Range rows = m_grid.tile(i, 0).rows;
    for (BandFractions& tiles : m_tiles) tiles.clear();
    by_bands(*m_masks[0], *m_masks[1]) ? add_bands(rows) : add_rows(rows);
    for (std::size_t part = 0; part < 3; ++part) m_tiles[part].store_counts(m_counts[part].data());
    for (Index j = 0; j < out.cols; ++j) store(i, j, out);
  }

 private:
  // Parts: of the first mask, of the second, of both.

  void add_bands(Range rows) {
    const Bands a = m_masks[0]->bands(rows, m_scratch[0]);
    const Bands b = m_masks[1]->bands(rows, m_scratch[1]);
    m_tiles[0].add(a, rows);
    m_tiles[1].add(b, rows);
    const auto add = [&](Range some, Range first, Range last) {
      const auto line = [&](Index from, Index to) {
        return from == to ? Ramp::constant(from) : Ramp::moving(from - some.begin);
      };
      const Band band{some, line(first.begin, last.begin), line(first.end, last.end)};
      m_tiles[2].add({&band, 1}, some);
    };
    if (!for_each_common(a, b, rows, m_budget, add)) give_up();
  }

  /// Rows of masks without bands are expensive, so each is read once.
  void add_rows(Range rows) {
    for (Index q = rows.begin; q < rows.end && m_intervals <= m_options.max_cells; ++q) {
      if (m_options.stop.stop_requested()) return;
      for (std::size_t part = 0; part < 2; ++part)
        if (!read_row(*m_masks[part], q, m_budget, m_row[part])) return give_up();
      common_ranges(m_row[0], m_row[1], m_row[2]);
      for (std::size_t part = 0; part < 3; ++part) add_row(part, q);
      m_intervals += static_cast<Index>(m_row[0].size() + m_row[1].size());
    }
  }

  /// As if there were more intervals than may be looked at.
  void give_up() { m_intervals = m_options.max_cells + 1; }

  void add_row(std::size_t part, Index q) {
    for (const Range& keys : m_row[part]) {
      const Band band = Band::whole({q, q + 1}, keys);
      m_tiles[part].add({&band, 1}, band.rows);
    }
  }

  void store(Index i, Index j, Summary& out) const {
    const auto x = static_cast<std::size_t>(j);
    const auto at = static_cast<std::size_t>(i * out.cols + j);
    const std::uint64_t only_first = m_counts[0][x] - m_counts[2][x];
    const std::uint64_t only_second = m_counts[1][x] - m_counts[2][x];
    const std::uint64_t area = m_grid.tile(i, j).area();
    const auto sum = static_cast<double>(static_cast<std::int64_t>(only_first - only_second));
    if (m_options.mean) out.mean[at] = static_cast<float>(sum / static_cast<double>(area));
    if (m_options.reasons) out.reason[at] = m_counts[2][x] > 0 ? 1 : 0;
    if (!m_options.extremes) return;
    out.min[at] = only_second > 0 ? -1.0F : only_first == area ? 1.0F : 0.0F;
    out.max[at] = only_first > 0 ? 1.0F : only_second == area ? -1.0F : 0.0F;
  }

  const Mask* m_masks[2];
  const TileGrid& m_grid;
  const SummaryOptions& m_options;
  std::atomic<Index>& m_intervals;
  CountBudget m_budget;  ///< without an end: there are few cells
  std::vector<BandFractions> m_tiles;
  std::array<std::vector<Band>, 2> m_scratch;
  std::array<std::vector<Range>, 3> m_row;
  std::vector<std::vector<std::uint64_t>> m_counts;
};

}  // namespace

double VisibilityDifference::at(Index row, Index col) const {
  return (m_first->visible(row, col) ? 1 : 0) - (m_second->visible(row, col) ? 1 : 0);
}

void VisibilityDifference::read(const Rect& block, CellSpan out) const {
  CountBudget budget;
  std::vector<std::uint8_t> first(block.area());
  std::vector<std::uint8_t> second(block.area());
  read_visible(*m_first, block, budget, std::span(first));
  read_visible(*m_second, block, budget, std::span(second));
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        std::ranges::transform(first, second, cells.begin(),
                               [](std::uint8_t a, std::uint8_t b) { return static_cast<Cell>(a - b); });
      },
      out);
}

double VisibilityDifference::cell_cost() const {
  constexpr double steps_of_cost = 4;
  return std::max(1.0, static_cast<double>(m_first->look_steps() + m_second->look_steps()) / steps_of_cost);
}

Result<void> VisibilityDifference::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  const Index cost = std::max(cost_of_row(*m_first), cost_of_row(*m_second));
  constexpr Index most_intervals_of_a_picture = Index{1} << 29;  // some 16 ns each
  const Index most = std::min(options.max_cells, most_intervals_of_a_picture);
  if (!by_bands(*m_first, *m_second) && grid.bounds().rows.size() > most / cost)
    return summarize_cells(*this, MeanKind::arithmetic, grid, for_sampling(options, grid.bounds()), out);
  out.shape(grid, options);
  if (options.reasons) out.reason.resize(static_cast<std::size_t>(out.rows * out.cols));
  std::atomic<Index> intervals = 0;
  constexpr Index segment = 16;  // rows of tiles a thread takes at a time
  parallel_for((out.rows + segment - 1) / segment, options.threads, [&](Index part) {
    DifferenceRows rows(*m_first, *m_second, grid, options, intervals);
    for (Index i = part * segment; i < std::min(out.rows, (part + 1) * segment) && !options.stop.stop_requested(); ++i)
      rows.fill(i, out);
  });
  if (options.stop.stop_requested()) return cancelled();
  return intervals > options.max_cells
             ? summarize_cells(*this, MeanKind::arithmetic, grid, for_sampling(options, grid.bounds()), out)
             : Result<void>();
}

}  // namespace vqscope
