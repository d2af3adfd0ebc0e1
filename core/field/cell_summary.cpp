// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/cell_summary.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// `count` of the range's cells in ascending order, one from each of as many equal stretches, scattered by the golden
/// ratio; all of them when they are no more.
std::vector<Index> scattered(Range range, Index count) {
  std::vector<Index> cells;
  count = std::min(range.size(), std::max<Index>(count, 1));
  for (Index i = 0; i < count; ++i) {
    const double offset = std::fmod(0.5 + static_cast<double>(i) * (std::numbers::phi - 1), 1.0);
    const Index begin = range.begin + range.size() / count * i + range.size() % count * i / count;
    cells.push_back(count == range.size()
                        ? range.begin + i
                        : begin + static_cast<Index>(offset * static_cast<double>(range.size() / count)));
  }
  return cells;
}

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

/// Every cell of a row of tiles, a row of cells at a time.
void visit_row(const Field& field, MeanKind kind, const Lattice& lattice, Index i, bool mean,
               std::vector<Cells>& tiles) {
  const Rect bounds = lattice.bounds();
  const Range rows = lattice.tile(i, 0).rows;
  std::vector<double> values(static_cast<std::size_t>(bounds.cols.size()));
  for (Index row = rows.begin; row < rows.end; ++row) {
    field.read({{row, row + 1}, bounds.cols}, std::span(values));
    const double* value = values.data();
    for (std::size_t j = 0; j < tiles.size(); ++j)
      for (Index col = lattice.col_edges[j]; col < lattice.col_edges[j + 1]; ++col) tiles[j].add(*value++, kind, mean);
  }
}

void sample_row(const Field& field, MeanKind kind, const Lattice& lattice, Index i, double budget, bool mean,
                std::vector<Cells>& tiles) {
  for (std::size_t j = 0; j < tiles.size(); ++j) {
    const Rect tile = lattice.tile(i, static_cast<Index>(j));
    const auto cols = scattered(tile.cols, static_cast<Index>(std::sqrt(budget)));
    for (const Index row : scattered(tile.rows, static_cast<Index>(budget / static_cast<double>(cols.size()))))
      for (const Index col : cols) tiles[j].add(field.at(row, col), kind, mean);
  }
}

}  // namespace

Result<void> summarize_cells(const Field& field, MeanKind kind, const Lattice& lattice, const SummaryOptions& options,
                             Summary& out) {
  out.shape(lattice, options);
  if (kind != MeanKind::arithmetic && options.mean) out.coherence.resize(out.mean.size());
  out.exact = lattice.bounds().area() <= options.max_cells;
  const double budget = static_cast<double>(options.max_cells) / static_cast<double>(out.rows * out.cols);
  parallel_for(out.rows, options.threads, [&](Index i) {
    if (options.stop.stop_requested()) return;
    std::vector<Cells> tiles(static_cast<std::size_t>(out.cols));
    if (out.exact)
      visit_row(field, kind, lattice, i, options.mean, tiles);
    else
      sample_row(field, kind, lattice, i, budget, options.mean, tiles);
    for (std::size_t j = 0; j < tiles.size(); ++j)
      store(out, static_cast<std::size_t>(i * out.cols) + j, tiles[j], kind);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

}  // namespace vqscope
