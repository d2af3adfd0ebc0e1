// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/cell_summary.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/field/block_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

constexpr double cells_between_stops = 4096;  // of cost 1: far below a millisecond
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Some of a range's cells in ascending order, one from each of as many equal segments, scattered
/// by the golden ratio; all of them when they are no more.
class ScatteredCells {
 public:
  ScatteredCells(Range range, double budget)
      : m_range(range), m_count(std::clamp<Index>(static_cast<Index>(budget), 1, range.size())) {}

  Index count() const { return m_count; }
  Index operator[](Index i) const {
    if (m_count == m_range.size()) return m_range.begin + i;
    const Index whole = m_range.size() / m_count;
    const double offset = std::fmod(0.5 + static_cast<double>(i) * (std::numbers::phi - 1), 1.0);
    return m_range.begin + whole * i + m_range.size() % m_count * i / m_count +
           static_cast<Index>(offset * static_cast<double>(whole));
  }

 private:
  Range m_range;
  Index m_count;
};

struct Cells {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0;  ///< of values, or of cosines
  double sines = 0;
  Index count = 0;

  void add(double value, MeanKind kind, bool mean) {
    if (std::isnan(value)) return;
    min = std::min(min, value);
    max = std::max(max, value);
    ++count;
    if (!mean) return;
    sum += kind == MeanKind::arithmetic ? value : std::cos(value);
    if (kind != MeanKind::arithmetic) sines += std::sin(value);
  }
};

float mean_of(const Cells& cells, MeanKind kind) {
  if (cells.count == 0) return nan;
  if (kind == MeanKind::arithmetic) return static_cast<float>(cells.sum / static_cast<double>(cells.count));
  double angle = std::atan2(cells.sines, cells.sum);
  if (kind == MeanKind::direction_unsigned && angle < 0) angle += 2 * std::numbers::pi;
  const auto limit = std::nextafter(2 * std::numbers::pi_v<float>, 0.0F);
  return kind == MeanKind::direction_unsigned ? std::min(static_cast<float>(angle), limit) : static_cast<float>(angle);
}

void store(Summary& out, std::size_t at, const Cells& cells, MeanKind kind) {
  if (!out.min.empty()) {
    out.min[at] = cells.count > 0 ? static_cast<float>(cells.min) : nan;
    out.max[at] = cells.count > 0 ? static_cast<float>(cells.max) : nan;
  }
  if (!out.mean.empty()) out.mean[at] = mean_of(cells, kind);
  if (!out.coherence.empty())
    out.coherence[at] =
        cells.count > 0 ? static_cast<float>(std::hypot(cells.sum, cells.sines) / static_cast<double>(cells.count)) : 0;
}

/// One row of tiles.
class CellVisitor {
 public:
  CellVisitor(const Field& field, MeanKind kind, const TileGrid& grid, const SummaryOptions& options)
      : m_field(field),
        m_kind(kind),
        m_grid(grid),
        m_options(options),
        m_cost(std::max(field.cell_cost(), 1.0)),
        m_between_stops(std::max<Index>(1, static_cast<Index>(cells_between_stops / m_cost))) {}

  void fill(Index i, Summary& out) {
    m_tiles.assign(static_cast<std::size_t>(out.cols), {});
    if (out.exact)
      visit({m_grid.tile(i, 0).rows, m_grid.bounds().cols});
    else
      for (Index j = 0; j < out.cols && !m_options.stop.stop_requested(); ++j)
        sample(m_grid.tile(i, j), m_tiles[static_cast<std::size_t>(j)]);
    for (std::size_t j = 0; j < m_tiles.size(); ++j)
      store(out, static_cast<std::size_t>(i * out.cols) + j, m_tiles[j], m_kind);
  }

 private:
  /// Every cell, in blocks of bounded size however wide the row is.
  void visit(const Rect& cells) {
    for (BlockWalk walk(cells, m_cost); !walk.done() && !m_options.stop.stop_requested();) {
      const Rect block = walk.next();
      m_values.resize(static_cast<std::size_t>(block.area()));
      m_field.read(block, std::span(m_values));
      add(block);
    }
  }

  void add(const Rect& block) {
    const auto& edges = m_grid.col_edges;
    const auto first = std::ranges::upper_bound(edges, block.cols.begin) - edges.begin() - 1;
    const double* value = m_values.data();
    for (Index row = block.rows.begin; row < block.rows.end; ++row) {
      auto j = static_cast<std::size_t>(first);
      for (Index col = block.cols.begin; col < block.cols.end; ++j)
        for (const Index end = std::min(edges[j + 1], block.cols.end); col < end; ++col)
          m_tiles[j].add(*value++, m_kind, m_options.mean);
    }
  }

  void sample(const Rect& tile, Cells& cells) {
    const double budget =
        static_cast<double>(m_options.max_cells) / m_cost / static_cast<double>(m_grid.rows() * m_grid.cols());
    const ScatteredCells cols(tile.cols, std::sqrt(budget));
    const ScatteredCells rows(tile.rows, budget / static_cast<double>(cols.count()));
    for (Index r = 0; r < rows.count(); ++r)
      for (Index c = 0; c < cols.count(); ++c) {
        if (++m_sampled % m_between_stops == 0 && m_options.stop.stop_requested()) return;
        cells.add(m_field.at(rows[r], cols[c]), m_kind, m_options.mean);
      }
  }

  const Field& m_field;
  MeanKind m_kind;
  const TileGrid& m_grid;
  const SummaryOptions& m_options;
  double m_cost;
  Index m_between_stops;  ///< cells
  Index m_sampled = 0;
  std::vector<Cells> m_tiles;
  std::vector<double> m_values;
};

}  // namespace

SummaryOptions for_sampling(SummaryOptions options, const Rect& cells) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const auto few = std::min({static_cast<std::uint64_t>(options.max_cells), most, cells.area() - 1});
  options.max_cells = std::max<Index>(1, static_cast<Index>(few));
  return options;
}

Error too_large_to_visit(const Rect& cells) {
  return too_large("the summary of {} × {} cells would be a sample, and an exact one was asked for", cells.rows.size(),
                   cells.cols.size());
}

Result<void> summarize_cells(const Field& field, MeanKind kind, const TileGrid& grid, const SummaryOptions& options,
                             Summary& out) {
  // Cells are read together, which is cheaper: only very expensive cells count for more than one.
  constexpr double expensive = 64;
  const auto cells = grid.bounds().area();
  const auto tiles = static_cast<std::uint64_t>(grid.rows() * grid.cols());
  const double cost = std::max(field.cell_cost() / expensive, 1.0);
  const bool all = static_cast<double>(cells) * cost <= static_cast<double>(options.max_cells) || cells == tiles;
  if (!all && options.exact_only) return too_large_to_visit(grid.bounds());
  out.shape(grid, options);
  if (kind != MeanKind::arithmetic && options.mean) out.coherence.resize(out.mean.size());
  out.exact = all;
  parallel_for(out.rows, options.threads, [&](Index i) {
    if (!options.stop.stop_requested()) CellVisitor(field, kind, grid, options).fill(i, out);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

Result<void> Field::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  if (auto ready = prepare({.progress = {}, .stop = options.stop}); !ready) return ready;
  return summarize_cells(*this, MeanKind::arithmetic, grid, options, out);
}

}  // namespace vqscope
