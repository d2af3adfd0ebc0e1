// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/visibility_field.h"

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/field/cell_summary.h"
#include "core/mask/map/band_fractions.h"
#include "core/mask/map/known_tiles.h"
#include "core/mask/map/read_visible.h"
#include "core/mask/map/visibility_difference.h"

#include <algorithm>
#include <atomic>

namespace vqscope {
namespace {

/// Limit for a picture: some 16 ns each.
constexpr Index most_intervals_of_a_picture = Index{1} << 29;

/// A choice without a branch: loops of it run over many tiles at a time.
constexpr std::uint8_t all_bits_if(bool holds) { return static_cast<std::uint8_t>(-static_cast<int>(holds)); }

/// All wanted planes of one row of tiles after another.
class SummaryRows {
 public:
  /// `intervals` counts those read from a mask without bands of its own.
  SummaryRows(const Mask& mask, const TileGrid& grid, const SummaryOptions& options, Summary& out,
              std::atomic<Index>& intervals)
      : m_mask(mask),
        m_grid(grid),
        m_options(options),
        m_out(out),
        m_intervals(intervals),
        m_width(static_cast<std::size_t>(out.cols)),
        m_terms(options.reasons ? std::min(mask.terms().size(), most_reasons) : 0),
        m_rows(grid.col_edges),
        m_mean(m_width),
        m_fraction(m_width),
        m_smallest(m_width) {
    m_budget.stop = options.stop;
  }

  void fill(Index i) {
    const auto r = static_cast<std::size_t>(i);
    const Range rows{m_grid.row_edges[r], m_grid.row_edges[r + 1]};
    const std::size_t at = r * m_width;
    float* mean = m_options.mean ? m_out.mean.data() + at : m_mean.data();
    fractions(rows, mean, [&](Range& some) {
      std::span<const Band> bands;
      return read_bands(m_mask, some, m_budget, m_scratch, bands) ? bands : std::span<const Band>();
    });
    if (m_options.extremes) extremes(mean, m_out.min.data() + at, m_out.max.data() + at);
    if (m_options.reasons) reasons(rows, mean, m_out.reason.data() + at);
  }

 private:
  /// Bands that are made of rows come a few rows at a time: memory stays small however tall the
  /// tile is.
  template <class Bands>
  void fractions(Range rows, float* out, const Bands& bands) {
    if (m_mask.has_bands()) return m_rows.fill(bands(rows), rows, out);
    m_rows.clear();
    for (Index begin = rows.begin; begin < rows.end && m_intervals <= most_read();) {
      if (m_options.stop.stop_requested()) return;
      Range some{begin, rows.end};
      const auto made = bands(some);
      m_intervals += static_cast<Index>(made.size());
      m_rows.add(made, some);
      begin = some.end;
    }
    m_rows.store(rows, out);
  }

  Index most_read() const { return std::min(m_options.max_cells, most_intervals_of_a_picture); }

  void extremes(const float* mean, float* min, float* max) const {
    for (std::size_t x = 0; x < m_width; ++x) {
      min[x] = mean[x] == 1.0F ? 1.0F : 0.0F;
      max[x] = mean[x] > 0.0F ? 1.0F : 0.0F;
    }
  }

  void reasons(Range rows, const float* mean, std::uint8_t* reason) {
    std::fill(m_smallest.begin(), m_smallest.end(), 2.0F);
    for (std::size_t term = 0; term < m_terms; ++term) {
      fractions(rows, m_fraction.data(), [&](Range& some) {
        if (!m_mask.has_bands()) some.end = some.begin + 1;
        return m_mask.term_bands(term, some, m_scratch);
      });
      keep_smaller(static_cast<std::uint8_t>(term + 1), m_fraction.data(), m_smallest.data(), reason);
    }
    for (std::size_t x = 0; x < m_width; ++x) reason[x] &= all_bits_if(mean[x] != 1.0F);
  }

  /// Strictly smaller: of several terms that mask everything the first stays.
  void keep_smaller(std::uint8_t id, const float* __restrict fraction, float* __restrict smallest,
                    std::uint8_t* __restrict reason) const {
    for (std::size_t x = 0; x < m_width; ++x) {
      const std::uint8_t smaller = all_bits_if(fraction[x] < smallest[x]);
      smallest[x] = std::min(smallest[x], fraction[x]);
      reason[x] = static_cast<std::uint8_t>((id & smaller) | (reason[x] & ~smaller));
    }
  }

  const Mask& m_mask;
  const TileGrid& m_grid;
  const SummaryOptions& m_options;
  Summary& m_out;
  std::atomic<Index>& m_intervals;
  CountBudget m_budget;  ///< without an end: there are few cells
  std::size_t m_width;
  std::size_t m_terms;
  BandFractions m_rows;
  std::vector<Band> m_scratch;
  std::vector<float> m_mean, m_fraction, m_smallest;
};

}  // namespace

void VisibilityField::read(const Rect& block, CellSpan out) const {
  CountBudget budget;
  read_visible(*m_mask, block, budget, out);
}

double VisibilityField::cell_cost() const {
  constexpr double steps_of_cost = 4;
  return m_mask->has_bands() ? 1 : std::max(1.0, static_cast<double>(m_mask->look_steps()) / steps_of_cost);
}

Result<void> VisibilityField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  const Index most = std::min(options.max_cells, most_intervals_of_a_picture);
  if (!m_mask->has_bands() && grid.bounds().rows.size() > most / m_mask->row_cost()) return sample(grid, options, out);
  out.shape(grid, options);
  if (options.reasons) out.reason.resize(static_cast<std::size_t>(out.rows * out.cols));
  std::atomic<Index> intervals = 0;
  constexpr Index band = 64;  // rows of tiles a thread takes at a time
  parallel_for((out.rows + band - 1) / band, options.threads, [&](Index b) {
    SummaryRows rows(*m_mask, grid, options, out, intervals);
    for (Index i = b * band; i < std::min(out.rows, (b + 1) * band) && !options.stop.stop_requested(); ++i)
      rows.fill(i);
  });
  if (options.stop.stop_requested()) return cancelled();
  return intervals > most ? sample(grid, options, out) : Result<void>();
}

/// For a mask with too many intervals: exact counts of the tiles that can be counted; some cells of
/// the others, with the reason of the tile's middle.
Result<void> VisibilityField::sample(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  KnownTiles known(*m_mask, grid, options);
  known.count_strips();
  if (!known.all_known()) {
    known.cover();
    known.count();
  }
  if (options.stop.stop_requested()) return cancelled();
  if (known.all_known())
    out.shape(grid, options);
  else if (auto done = summarize_cells(*this, MeanKind::arithmetic, grid, for_sampling(options, grid.bounds()), out);
           !done)
    return done;
  known.store(out);
  if (!options.reasons) return {};
  out.reason.resize(static_cast<std::size_t>(out.rows * out.cols));
  parallel_for(out.rows, options.threads, [&](Index i) {
    for (Index j = 0; j < out.cols && !options.stop.stop_requested(); ++j)
      out.reason[static_cast<std::size_t>(i * out.cols + j)] = known.reason(i, j);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

std::shared_ptr<const Field> VisibilityField::minus(const Field& other, DifferenceKind) const {
  const FieldForm form = other.form();
  const auto* mask = std::get_if<std::shared_ptr<const Mask>>(&form);
  return mask ? std::make_shared<VisibilityDifference>(m_mask, *mask) : nullptr;
}

CellReport VisibilityField::report(Index row, Index col) const {
  CellReport report{{{"q", to_text(row)}, {"k", to_text(col)}}, m_mask->why(row, col)};
  for (auto& fact : m_mask->facts(row, col)) report.facts.push_back(std::move(fact));
  const auto term = m_mask->failing_term(row, col);
  report.facts.emplace_back("verdict", term ? "masked by " + m_mask->terms()[*term] : "visible");
  return report;
}

}  // namespace vqscope
