// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/step_field.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace vqscope {
namespace {

/// Sums are modular: only a tile's own sum must fit, not the prefix sums that it is the difference
/// of.
using Sum64 = std::uint64_t;
__extension__ using Sum128 = unsigned __int128;

Index largest_tile(std::span<const Index> edges) {
  Index largest = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) largest = std::max(largest, edges[i + 1] - edges[i]);
  return largest;
}

bool sums_fit_64_bits(const TileGrid& grid, double max_value) {
  const double rows = static_cast<double>(largest_tile(grid.row_edges));
  return rows * static_cast<double>(largest_tile(grid.col_edges)) * max_value < 0x1p63;
}

/// t (t - 1) / 2, halved before it is multiplied so that it stays right modulo 2^64.
template <class Sum>
Sum triangle(Sum t) {
  return t % 2 == 0 ? (t / 2) * (t - 1) : t * ((t - 1) / 2);
}

/// How many cells of the block are on its first `diagonals` diagonals, counted from the lower left
/// corner: a triangle, less what of it is above the block and right of it. Modular, as sums are.
std::uint64_t cells_below(const Rect& block, Index diagonals) {
  const auto corner = [&](Index size) {
    const auto n = static_cast<Sum64>(std::max<Index>(size, 0));
    return triangle(n + 1);
  };
  const Index rows = block.rows.size();
  const Index cols = block.cols.size();
  return corner(diagonals) - corner(diagonals - rows) - corner(diagonals - cols) + corner(diagonals - rows - cols);
}

}  // namespace

std::size_t StepFunction::step_of(Index relative_position) const {
  const auto after = std::upper_bound(start.begin() + 1, start.end(), relative_position);
  return static_cast<std::size_t>(after - start.begin()) - 1;
}

/// f's first and second prefix sums, F(x) = sum of f(d), d < x, and G(x) = sum of F(y), y < x, at a
/// step's start.
template <class Sum>
struct StepField::PrefixSums {
  std::vector<Sum> first;
  std::vector<Sum> second;

  explicit PrefixSums(const StepFunction& f) : first(f.start.size()), second(f.start.size()) {
    for (std::size_t s = 0; s + 1 < f.start.size(); ++s) {
      const auto t = static_cast<Sum>(f.start[s + 1] - f.start[s]);
      const auto value = static_cast<Sum>(f.value[s]);
      first[s + 1] = first[s] + value * t;
      second[s + 1] = second[s] + first[s] * t + value * triangle(t);
    }
  }
};

/// Memory of one row of tiles, kept between rows.
struct StepField::RowScratch {
  std::vector<Sum64> top64, bottom64;
  std::vector<Sum128> top128, bottom128;
  std::vector<std::uint32_t> first_step, last_step;
  std::vector<Index> last_col;

  template <class Sum>
  auto& top() {
    if constexpr (sizeof(Sum) == 8)
      return top64;
    else
      return top128;
  }
  template <class Sum>
  auto& bottom() {
    if constexpr (sizeof(Sum) == 8)
      return bottom64;
    else
      return bottom128;
  }
};

StepField::StepField(Extent extent, Index past_len, StepFunction function)
    : m_extent(extent), m_past_len(past_len), m_f(std::move(function)) {
  assert(!m_f.start.empty() && m_f.start.size() == m_f.value.size());
  // One before the smallest argument that a corner of a tile can have.
  m_f.start[0] = std::min(m_f.start.size() > 1 ? m_f.start[1] : 0, -(m_past_len + m_extent.rows)) - 1;
  m_levels.emplace_back();
  for (const auto value : m_f.value) m_levels[0].push_back({value, value});
  for (std::size_t half = 1; 2 * half <= m_f.value.size(); half *= 2) {
    const auto& below = m_levels.back();
    std::vector<Extremes> level;
    for (std::size_t s = 0; s + 2 * half <= m_f.value.size(); ++s)
      level.push_back({std::min(below[s].min, below[s + half].min), std::max(below[s].max, below[s + half].max)});
    m_levels.push_back(std::move(level));
  }
}

double StepField::at(Index row, Index col) const { return m_f.value[m_f.step_of(relative_position(row, col))]; }

StepField::Extremes StepField::extremes(std::size_t first, std::size_t last) const {
  const auto k = static_cast<std::size_t>(std::bit_width(last - first + 1)) - 1;
  const Extremes& a = m_levels[k][first];
  const Extremes& b = m_levels[k][last + 1 - (std::size_t{1} << k)];
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

template <class Run>
void StepField::for_each_step(std::span<const Index> args, Index shift, const Run& run) const {
  std::size_t step = m_f.step_of(args.front() + shift);
  for (std::size_t first = 0; first < args.size(); ++step) {
    std::size_t last = args.size();
    if (step + 1 < m_f.start.size()) {
      const Index limit = m_f.start[step + 1] - shift;
      // Neighbouring columns mostly share a step or take the next one: look close by before
      // searching.
      last = first;
      while (last < args.size() && last < first + 4 && args[last] < limit) ++last;
      if (last == first + 4)
        last = static_cast<std::size_t>(
            std::lower_bound(args.begin() + static_cast<std::ptrdiff_t>(last), args.end(), limit) - args.begin());
    }
    if (last > first) run(first, last, step);
    first = last;
  }
}

template <class Cell>
void StepField::fill_diagonals(Index first, std::span<Cell> out) const {
  const Index end = first + static_cast<Index>(out.size());
  Cell* next = out.data();
  for (std::size_t step = m_f.step_of(first); first < end; ++step) {
    const Index limit = step + 1 < m_f.start.size() ? std::min(m_f.start[step + 1], end) : end;
    next = std::fill_n(next, limit - first, static_cast<Cell>(m_f.value[step]));
    first = limit;
  }
}

void StepField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        if (block.area() == 0) return;
        // One table of the block's diagonals, of which each row is a segment: copies run as fast as
        // memory does.
        std::vector<Cell> diagonals(static_cast<std::size_t>(block.rows.size() + block.cols.size() - 1));
        fill_diagonals<Cell>(relative_position(block.rows.end - 1, block.cols.begin), diagonals);
        const auto width = static_cast<std::size_t>(block.cols.size());
        Cell* next = cells.data();
        for (auto row = static_cast<std::size_t>(block.rows.size()); row-- > 0; next += width)
          std::memcpy(next, diagonals.data() + row, width * sizeof(Cell));
      },
      out);
}

template <class Sum>
void StepField::mean_row(const PrefixSums<Sum>& prefix, const TileGrid& grid, Index i, RowScratch& scratch,
                         Summary& out) const {
  const std::span<const Index> cols = grid.col_edges;
  const auto second_sums = [&](Index row_edge, std::vector<Sum>& sums) {
    const Index shift = 1 - (m_past_len + row_edge);
    sums.resize(cols.size());
    for_each_step(cols, shift, [&](std::size_t first, std::size_t last, std::size_t step) {
      const Index base = m_f.start[step] - shift;
      const Sum g = prefix.second[step];
      const Sum f = prefix.first[step];
      const auto value = static_cast<Sum>(m_f.value[step]);
      for (std::size_t x = first; x < last; ++x) {
        const auto t = static_cast<Sum>(cols[x] - base);
        sums[x] = g + f * t + value * triangle(t);
      }
    });
  };
  auto& top = scratch.top<Sum>();
  auto& bottom = scratch.bottom<Sum>();
  const auto r = static_cast<std::size_t>(i);
  const auto height = static_cast<double>(grid.row_edges[r + 1] - grid.row_edges[r]);
  // The last row's bottom border is this row's top border.
  if (top.empty()) second_sums(grid.row_edges[r], top);
  second_sums(grid.row_edges[r + 1], bottom);
  float* mean = out.mean.data() + i * out.cols;
  for (std::size_t x = 0; x + 1 < cols.size(); ++x) {
    const Sum sum = (top[x + 1] - bottom[x + 1]) - (top[x] - bottom[x]);
    mean[x] = static_cast<float>(static_cast<double>(sum) / (height * static_cast<double>(cols[x + 1] - cols[x])));
  }
  top.swap(bottom);
}

void StepField::extremes_row(const TileGrid& grid, Index i, RowScratch& scratch, Summary& out) const {
  const std::span<const Index> cols = grid.col_edges;
  const auto r = static_cast<std::size_t>(i);
  const std::size_t width = cols.size() - 1;
  if (scratch.last_col.size() != width) {
    scratch.last_col.resize(width);
    for (std::size_t x = 0; x < width; ++x) scratch.last_col[x] = cols[x + 1] - 1;
    scratch.first_step.resize(width);
    scratch.last_step.resize(width);
  }
  const auto steps_into = [&](std::vector<std::uint32_t>& steps) {
    return [&steps](std::size_t first, std::size_t last, std::size_t step) {
      std::fill(steps.data() + first, steps.data() + last, static_cast<std::uint32_t>(step));
    };
  };
  for_each_step(cols.first(width), -(m_past_len + grid.row_edges[r + 1] - 1), steps_into(scratch.first_step));
  for_each_step(scratch.last_col, -(m_past_len + grid.row_edges[r]), steps_into(scratch.last_step));
  float* min = out.min.data() + i * out.cols;
  float* max = out.max.data() + i * out.cols;
  for (std::size_t x = 0; x < width; ++x) {
    const Extremes cell = extremes(scratch.first_step[x], scratch.last_step[x]);
    min[x] = static_cast<float>(cell.min);
    max[x] = static_cast<float>(cell.max);
  }
}

template <class Sum>
void StepField::summarize_rows(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  const PrefixSums<Sum> prefix(m_f);
  constexpr Index band = 64;  // rows of tiles a thread takes at a time
  parallel_for((out.rows + band - 1) / band, options.threads, [&](Index b) {
    RowScratch scratch;
    for (Index i = b * band; i < std::min(out.rows, (b + 1) * band) && !options.stop.stop_requested(); ++i) {
      if (options.extremes) extremes_row(grid, i, scratch, out);
      if (options.mean) mean_row(prefix, grid, i, scratch, out);
    }
  });
}

Result<void> StepField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  out.shape(grid, options);
  if (sums_fit_64_bits(grid, value_range().second))
    summarize_rows<Sum64>(grid, options, out);
  else
    summarize_rows<Sum128>(grid, options, out);
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

bool StepField::count_labels(const Rect& block, LabelCounts& out) const {
  out.clear();
  if (block.area() == 0) return true;
  const Index lowest = relative_position(block.rows.end - 1, block.cols.begin);
  const Index end = relative_position(block.rows.begin, block.cols.end - 1) + 1;
  const std::size_t first = m_f.step_of(lowest);
  const std::size_t last = m_f.step_of(end - 1);
  std::uint64_t before = 0;
  for (std::size_t step = first; step <= last; ++step) {
    const Index limit = step == last ? end : m_f.start[step + 1];
    const std::uint64_t below = cells_below(block, limit - lowest);
    const auto label = m_f.value[step];
    const auto place = std::ranges::lower_bound(out, label, {}, &LabelCounts::value_type::first);
    if (place != out.end() && place->first == label)
      place->second += below - before;
    else
      out.insert(place, {label, below - before});
    before = below;
  }
  return true;
}

std::pair<double, double> StepField::value_range() const {
  const std::size_t first = m_f.step_of(relative_position(m_extent.rows - 1, 0));
  const Extremes range = extremes(first, m_f.step_of(relative_position(0, m_extent.cols - 1)));
  return {range.min, range.max};
}

}  // namespace vqscope
