// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_field.h"

#include "core/base/parallel.h"
#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace vqscope {

/// One row of tiles while its runs of equal cells are added from left to right; memory is reused
/// for the next row.
struct XlField::RowOfTiles {
  std::vector<std::uint64_t> left;  ///< cells of each tile that no run has taken yet
  std::vector<double> sum;
  std::vector<Index> least, most;

  void start(const TileGrid& grid, Range rows) {
    const auto width = static_cast<std::size_t>(grid.cols());
    left.resize(width);
    for (std::size_t j = 0; j < width; ++j) left[j] = Rect{rows, {grid.col_edges[j], grid.col_edges[j + 1]}}.area();
    sum.assign(width, 0);
    least.assign(width, std::numeric_limits<Index>::max());
    most.assign(width, std::numeric_limits<Index>::min());
  }

  /// Assigns `value` to all but `kept` of the remaining cells.
  void take(std::size_t tile, Index value, std::uint64_t kept) {
    if (kept == left[tile]) return;
    sum[tile] += static_cast<double>(value) * static_cast<double>(left[tile] - kept);
    least[tile] = std::min(least[tile], value);
    most[tile] = std::max(most[tile], value);
    left[tile] = kept;
  }
};

XlField::XlField(const XlSegments& segments, XlView view, std::optional<XlPair> pair)
    : m_segments(segments), m_view(view), m_pair(pair) {
  assert(segments.check());
  constexpr Index never = XlBoundary::never;
  const XlSegments& s = m_segments;
  const auto begin_of_reach = [&](Index value, Index depth) {
    if (s.same_length)
      add_segment(value, never, depth * (s.memory_len - 1));
    else
      add_segment(value, (depth - 1) * s.memory_stride() + s.memory_len, never);
  };
  // Each call ends the run of `value`: the remaining cells left of the boundary.
  if (view == XlView::layer) {
    const Index clamp = s.clamp_len > 0 ? s.clamp_len : never;
    const Index seen = s.same_length ? s.memory_len - 1 : never;
    begin_of_reach(0, 1);
    add_segment(3, s.same_length ? never : s.memory_len, std::min(clamp, seen));
    add_segment(2, 0, std::min(clamp, seen));
    add_segment(1, never, -1);
  } else if (view == XlView::reach) {
    for (Index depth = s.layers; depth > 0; --depth) begin_of_reach(depth < s.layers ? depth + 1 : 0, depth);
    add_segment(1, never, -1);
  } else {
    begin_of_reach(0, s.layers);
    add_segment(2, 0, s.same_length ? s.layers * (s.memory_len - 1) : never);
    add_segment(1, never, -1);
  }
  m_largest = *std::ranges::max_element(m_values);
}

void XlField::add_segment(Index value, Index before_segment, Index before_row) {
  m_ends.push_back({m_segments.segment_len, before_segment, before_row});
  m_values.push_back(value);
}

double XlField::at(Index row, Index col) const {
  const XlSegments& s = m_segments;
  const auto value = [&]() -> Index {
    if (m_view == XlView::layer) {
      if (!s.sees(row, col)) return 0;
      if (s.clamp_len > 0 && row - col > s.clamp_len) return 3;
      return s.segment_begin(row) == s.segment_begin(col) ? 1 : 2;
    }
    const Index depth = s.first_layer(row, col);
    if (depth == 0 || depth > s.layers) return 0;
    if (m_view == XlView::reach) return depth;
    return s.learnt(row).contains(col) ? 1 : 2;
  };
  return static_cast<double>(value());
}

void XlField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        Cell* next = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row) {
          Index col = block.cols.begin;
          for (std::size_t i = 0; i < m_ends.size() && col < block.cols.end; ++i) {
            const Index end = std::clamp(m_ends[i].at(row), col, block.cols.end);
            next = std::fill_n(next, end - col, static_cast<Cell>(m_values[i]));
            col = end;
          }
          next = std::fill_n(next, block.cols.end - col, Cell{0});
        }
      },
      out);
}

void XlField::summarize_row(const TileGrid& grid, Index i, RowOfTiles& tiles, Summary& out) const {
  const auto r = static_cast<std::size_t>(i);
  const Range rows{grid.row_edges[r], grid.row_edges[r + 1]};
  const auto& cols = grid.col_edges;
  const std::size_t width = cols.size() - 1;
  tiles.start(grid, rows);
  std::size_t done = 0;  // tiles that are entirely left of the boundary
  for (std::size_t b = 0; b < m_ends.size() && done < width; ++b) {
    const Index first = m_ends[b].at(rows.begin);
    const Index last = m_ends[b].at(rows.end - 1);
    for (; done < width && cols[done + 1] <= first; ++done) tiles.take(done, m_values[b], 0);
    for (std::size_t j = done; j < width && cols[j] < last; ++j)
      tiles.take(j, m_values[b], m_ends[b].cells_from({rows, {cols[j], cols[j + 1]}}));
  }
  for (; done < width; ++done) tiles.take(done, 0, 0);
  for (std::size_t j = 0; j < width; ++j) {
    const std::size_t at = r * width + j;
    const double area = static_cast<double>(Rect{rows, {cols[j], cols[j + 1]}}.area());
    if (!out.mean.empty()) out.mean[at] = static_cast<float>(tiles.sum[j] / area);
    if (!out.min.empty()) out.min[at] = static_cast<float>(tiles.least[j]);
    if (!out.max.empty()) out.max[at] = static_cast<float>(tiles.most[j]);
  }
}

Result<void> XlField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  out.shape(grid, options);
  constexpr Index at_a_time = 16;  // rows of tiles
  parallel_for((out.rows + at_a_time - 1) / at_a_time, options.threads, [&](Index part) {
    RowOfTiles tiles;
    for (Index i = part * at_a_time; i < std::min(out.rows, (part + 1) * at_a_time); ++i) {
      if (options.stop.stop_requested()) return;
      summarize_row(grid, i, tiles, out);
    }
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

CellReport XlField::report(Index row, Index col) const { return report_pair(m_segments, {row, col}); }

std::vector<Mark> XlField::marks() const {
  if (!m_pair) return {};
  const auto middle = [](Index token) { return static_cast<double>(token) + 0.5; };
  return {{Mark::Axis::row, middle(m_pair->query), "query " + grouped(m_pair->query)},
          {Mark::Axis::col, middle(m_pair->key), "key " + grouped(m_pair->key)}};
}

std::vector<std::pair<std::string, double>> XlField::facts(const std::stop_token&) const {
  const Index last = m_segments.length - 1;
  const Index layers_for_all = m_segments.first_layer(last, 0);
  return {{"dependency_length", static_cast<double>(m_segments.dependency_length())},
          {"read_by_last", static_cast<double>(m_segments.reach(last, m_segments.layers).size())},
          {"learnt_by_last", static_cast<double>(m_segments.learnt(last).size())},
          {"layers_to_read_all",
           layers_for_all > 0 ? static_cast<double>(layers_for_all) : std::numeric_limits<double>::quiet_NaN()}};
}

}  // namespace vqscope
