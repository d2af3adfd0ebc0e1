// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/field.h"

#include "core/base/parallel.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void resize_plane(std::vector<float>& plane, bool wanted, std::size_t size) { plane.resize(wanted ? size : 0); }

/// Some cells of a tile: its corners and an even grid of at most `budget` cells; all of them when they are no more.
std::vector<Index> sample_points(Range range, Index budget) {
  std::vector<Index> points;
  const Index count = std::min(range.size(), std::max<Index>(budget, 2));
  for (Index i = 0; i < count; ++i)
    points.push_back(count == range.size() ? range.begin + i : range.begin + i * (range.size() - 1) / (count - 1));
  return points;
}

struct Accumulator {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0;
  Index count = 0;

  void add(double value) {
    if (std::isnan(value)) return;
    min = std::min(min, value);
    max = std::max(max, value);
    sum += value;
    ++count;
  }
};

void store(Summary& out, std::size_t at, const Accumulator& cells) {
  const bool any = cells.count > 0;
  if (!out.min.empty()) {
    out.min[at] = any ? static_cast<float>(cells.min) : nan;
    out.max[at] = any ? static_cast<float>(cells.max) : nan;
  }
  if (!out.mean.empty()) out.mean[at] = any ? static_cast<float>(cells.sum / static_cast<double>(cells.count)) : nan;
}

}  // namespace

void Summary::shape(const Lattice& lattice, const SummaryOptions& options) {
  rows = lattice.rows();
  cols = lattice.cols();
  exact = true;
  const auto size = static_cast<std::size_t>(rows * cols);
  resize_plane(min, options.extremes, size);
  resize_plane(max, options.extremes, size);
  resize_plane(mean, options.mean, size);
  coherence.clear();
  reason.clear();
}

void Field::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(static_cast<Index>(cells.size()) == block.area());
        auto* next = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row)
          for (Index col = block.cols.begin; col < block.cols.end; ++col) *next++ = static_cast<Cell>(at(row, col));
      },
      out);
}

Result<void> Field::summarize(const Lattice& lattice, const SummaryOptions& options, Summary& out) const {
  out.shape(lattice, options);
  const bool all = lattice.bounds().area() <= options.max_cells;
  out.exact = all;
  const double share = static_cast<double>(options.max_cells) / static_cast<double>(out.rows * out.cols);
  const Index side = all ? std::numeric_limits<Index>::max() : static_cast<Index>(std::sqrt(share));
  parallel_for(out.rows, options.threads, [&](Index i) {
    if (options.stop.stop_requested()) return;
    for (Index j = 0; j < out.cols; ++j) {
      const Rect tile = lattice.tile(i, j);
      Accumulator cells;
      const auto cols = sample_points(tile.cols, side);
      for (const Index row : sample_points(tile.rows, side))
        for (const Index col : cols) cells.add(at(row, col));
      store(out, static_cast<std::size_t>(i * out.cols + j), cells);
    }
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

CellReport Field::report(Index row, Index col) const {
  return {{{"row", to_text(row)}, {"col", to_text(col)}, {"value", to_text(at(row, col))}}, {}};
}

void repeat_summary_row(Summary& summary, Index from, Index to) {
  const auto copy = [&](auto& plane) {
    if (plane.empty()) return;
    const auto begin = plane.begin() + from * summary.cols;
    std::copy(begin, begin + summary.cols, plane.begin() + to * summary.cols);
  };
  copy(summary.min);
  copy(summary.max);
  copy(summary.mean);
  copy(summary.coherence);
  copy(summary.reason);
}

}  // namespace vqscope
