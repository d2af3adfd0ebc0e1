// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/visibility_field.h"

#include "core/base/parallel.h"
#include "core/base/text.h"

#include <cmath>
#include <limits>

namespace vqscope {
namespace {

using Edges = std::span<const Index>;

std::size_t tile_with(Edges edges, Index col) {
  return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), col) - edges.begin()) - 1;
}

std::size_t first_edge_from(Edges edges, Index col) {
  return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), col) - edges.begin());
}

/// The tiles in which a band has cells, and those among them that all of its rows see wholly.
struct TileSpan {
  std::size_t first = 0;
  std::size_t full_first = 0;
  std::size_t full_last = 0;
  std::size_t last = 0;
};

TileSpan tile_span(const Band& band, Range rows, Edges edges) {
  const Index begin = std::max(band.lo.at(rows.begin), edges.front());
  const Index end = std::min(band.hi.at(rows.end - 1), edges.back());
  if (begin >= end) return {};
  TileSpan span{.first = tile_with(edges, begin), .last = first_edge_from(edges, end)};
  span.full_first = span.full_last = span.last;
  const Index full_begin = std::max(band.lo.at(rows.end - 1), edges.front());
  const Index full_end = std::min(band.hi.at(rows.begin), edges.back());
  if (full_begin >= full_end) return span;
  const std::size_t full_first = first_edge_from(edges, full_begin);
  const std::size_t full_last = tile_with(edges, full_end);
  if (full_first >= full_last) return span;
  span.full_first = full_first;
  span.full_last = full_last;
  return span;
}

/// count / area, never rounded to 0 or to 1.
float visible_fraction(std::uint64_t count, std::uint64_t area) {
  if (count == 0) return 0;
  if (count == area) return 1;
  constexpr float below_one = 1 - std::numeric_limits<float>::epsilon() / 2;
  return std::min(static_cast<float>(static_cast<double>(count) / static_cast<double>(area)), below_one);
}

/// Visible fractions of one row of tiles after another.
class FractionRows {
 public:
  FractionRows(Edges edges) : m_edges(edges) {}

  /// Of the tiles over `rows`; the bands are those that have any of the rows.
  void fill(std::span<const Band> bands, Range rows, float* out) {
    if (bands.size() == 1)
      fill_single(bands.front(), rows, out);
    else
      fill_many(bands, rows, out);
  }

 private:
  /// Calls store(x, count) for the tiles [first, last) with the band's cells in each.
  template <class Store>
  void count(const Band& band, Range rows, std::size_t first, std::size_t last, const Store& store) const {
    if (first >= last) return;
    std::uint64_t before = band.cells_before(rows, m_edges[first]);
    for (std::size_t x = first; x < last; ++x) {
      const std::uint64_t next = band.cells_before(rows, m_edges[x + 1]);
      store(x, next - before);
      before = next;
    }
  }

  std::uint64_t width(std::size_t x) const { return static_cast<std::uint64_t>(m_edges[x + 1] - m_edges[x]); }

  /// The common case: 0 and 1 by fill, only tiles on the band's two borders are counted.
  void fill_single(const Band& band, Range rows, float* out) const {
    const TileSpan span = tile_span(band, rows, m_edges);
    const auto height = static_cast<std::uint64_t>(rows.size());
    const auto store = [&](std::size_t x, std::uint64_t cells) { out[x] = visible_fraction(cells, height * width(x)); };
    std::fill(out, out + span.first, 0.0F);
    count(band, rows, span.first, span.full_first, store);
    std::fill(out + span.full_first, out + span.full_last, 1.0F);
    count(band, rows, span.full_last, span.last, store);
    std::fill(out + span.last, out + m_edges.size() - 1, 0.0F);
  }

  /// Several bands add up: cells of border tiles one by one, wholly seen tiles as a difference of rows.
  void fill_many(std::span<const Band> bands, Range rows, float* out) {
    m_cells.assign(m_edges.size(), 0);
    m_row_steps.assign(m_edges.size(), 0);
    const auto add = [&](std::size_t x, std::uint64_t cells) { m_cells[x] += cells; };
    for (const Band& band : bands) {
      const Range some{std::max(band.rows.begin, rows.begin), std::min(band.rows.end, rows.end)};
      const TileSpan span = tile_span(band, some, m_edges);
      count(band, some, span.first, span.full_first, add);
      count(band, some, span.full_last, span.last, add);
      m_row_steps[span.full_first] += static_cast<std::uint64_t>(some.size());
      m_row_steps[span.full_last] -= static_cast<std::uint64_t>(some.size());
    }
    std::uint64_t full_rows = 0;
    for (std::size_t x = 0; x + 1 < m_edges.size(); ++x) {
      full_rows += m_row_steps[x];
      const std::uint64_t cells = m_cells[x] + full_rows * width(x);
      out[x] = visible_fraction(cells, static_cast<std::uint64_t>(rows.size()) * width(x));
    }
  }

  Edges m_edges;
  std::vector<std::uint64_t> m_cells;      ///< by tile
  std::vector<std::uint64_t> m_row_steps;  ///< rows that see tile x wholly, less those of tile x - 1
};

/// All wanted planes of one row of tiles after another.
class SummaryRows {
 public:
  SummaryRows(const Mask& mask, const Lattice& lattice, const SummaryOptions& options, Summary& out)
      : m_mask(mask),
        m_lattice(lattice),
        m_options(options),
        m_out(out),
        m_width(static_cast<std::size_t>(out.cols)),
        m_terms(options.reasons ? mask.terms().size() : 0),
        m_rows(lattice.col_edges),
        m_mean(m_width),
        m_fraction(m_width),
        m_smallest(m_width) {}

  void fill(Index i) {
    const auto r = static_cast<std::size_t>(i);
    const Range rows{m_lattice.row_edges[r], m_lattice.row_edges[r + 1]};
    const std::size_t at = r * m_width;
    float* mean = m_options.mean ? m_out.mean.data() + at : m_mean.data();
    m_rows.fill(m_mask.bands(rows, m_scratch), rows, mean);
    if (m_options.extremes) extremes(mean, m_out.min.data() + at, m_out.max.data() + at);
    if (m_options.reasons) reasons(rows, mean, m_out.reason.data() + at);
  }

 private:
  void extremes(const float* mean, float* min, float* max) const {
    for (std::size_t x = 0; x < m_width; ++x) {
      min[x] = mean[x] == 1.0F ? 1.0F : 0.0F;
      max[x] = mean[x] > 0.0F ? 1.0F : 0.0F;
    }
  }

  void reasons(Range rows, const float* mean, std::uint8_t* reason) {
    std::fill(m_smallest.begin(), m_smallest.end(), 2.0F);
    for (std::size_t term = 0; term < m_terms; ++term) {
      m_rows.fill(m_mask.term_bands(term, rows, m_scratch), rows, m_fraction.data());
      const auto id = static_cast<std::uint8_t>(term + 1);
      for (std::size_t x = 0; x < m_width; ++x) {
        // Strictly: of several that mask everything the first stays.
        const bool smaller = m_fraction[x] < m_smallest[x];
        m_smallest[x] = smaller ? m_fraction[x] : m_smallest[x];
        reason[x] = smaller ? id : reason[x];
      }
    }
    for (std::size_t x = 0; x < m_width; ++x) reason[x] = mean[x] == 1.0F ? 0 : reason[x];
  }

  const Mask& m_mask;
  const Lattice& m_lattice;
  const SummaryOptions& m_options;
  Summary& m_out;
  std::size_t m_width;
  std::size_t m_terms;
  FractionRows m_rows;
  std::vector<Band> m_scratch;
  std::vector<float> m_mean, m_fraction, m_smallest;
};

}  // namespace

void VisibilityField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(static_cast<Index>(cells.size()) == block.area());
        std::fill(cells.begin(), cells.end(), Cell{0});
        std::vector<Range> intervals;
        Cell* line = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row, line += block.cols.size()) {
          m_mask->row(row, intervals);
          for (const Range& seen : intervals) {
            const Index begin = std::max(seen.begin, block.cols.begin);
            const Index end = std::min(seen.end, block.cols.end);
            if (begin < end) std::fill_n(line + (begin - block.cols.begin), end - begin, Cell{1});
          }
        }
      },
      out);
}

Result<void> VisibilityField::summarize(const Lattice& lattice, const SummaryOptions& options, Summary& out) const {
  out.shape(lattice, options);
  if (options.reasons) out.reason.resize(static_cast<std::size_t>(out.rows * out.cols));
  constexpr Index band = 64;  // rows of tiles a thread takes at a time
  parallel_for((out.rows + band - 1) / band, options.threads, [&](Index b) {
    SummaryRows rows(*m_mask, lattice, options, out);
    for (Index i = b * band; i < std::min(out.rows, (b + 1) * band) && !options.stop.stop_requested(); ++i)
      rows.fill(i);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

CellReport VisibilityField::report(Index row, Index col) const {
  CellReport report{{{"q", to_text(row)}, {"k", to_text(col)}}, m_mask->why(row, col)};
  for (auto& fact : m_mask->facts(row, col)) report.facts.push_back(std::move(fact));
  report.facts.emplace_back("verdict", m_mask->visible(row, col) ? "visible" : "masked");
  return report;
}

}  // namespace vqscope
