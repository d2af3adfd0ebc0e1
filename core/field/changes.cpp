// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/changes.h"

#include "core/field/field.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr Index tiles_a_step = 64;
/// Limit for fields that have to visit their cells.
constexpr Index most_searched_cells = Index{1} << 28;

enum class Side { first, last };

/// Searches along one axis of a rectangle for a line (a row or a column) with a cell of another
/// value than `value`.
class LineSearch {
 public:
  LineSearch(const Field& field, float value, std::stop_token stop)
      : m_field(field), m_value(value), m_options{.mean = false, .max_cells = most_searched_cells, .exact_only = true} {
    m_options.stop = std::move(stop);
  }

  /// The first or last such line of `area`; nothing: there is none.
  Result<std::optional<Index>> find(const Rect& area, Mark::Axis axis, Side side) {
    const bool by_rows = axis == Mark::Axis::row;
    Range lines = by_rows ? area.rows : area.cols;
    const Range across = by_rows ? area.cols : area.rows;
    if (lines.size() <= 0 || across.size() <= 0) return std::optional<Index>();
    while (true) {
      std::vector<Index> along = even_edges(lines, tiles_a_step);
      std::vector<Index> whole{across.begin, across.end};
      const TileGrid grid{by_rows ? along : whole, by_rows ? whole : along};
      if (const auto made = m_field.summarize(grid, m_options, m_summary); !made) return made.error();
      const auto tile = changed_tile(along.size() - 1, side);
      if (!tile) return std::optional<Index>();
      lines = {along[*tile], along[*tile + 1]};
      if (lines.size() == 1) return std::optional(lines.begin);
    }
  }

 private:
  bool changed(std::size_t tile) const {
    const float low = m_summary.min[tile];
    const float high = m_summary.max[tile];
    if (std::isnan(low)) return false;
    return low != m_value || high != m_value;
  }

  std::optional<std::size_t> changed_tile(std::size_t count, Side side) const {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t tile = side == Side::first ? i : count - 1 - i;
      if (changed(tile)) return tile;
    }
    return std::nullopt;
  }

  const Field& m_field;
  const float m_value;
  SummaryOptions m_options;
  Summary m_summary;
};

Rect all_cells(const Field& field) {
  const Extent extent = field.extent();
  return {{0, extent.rows}, {0, extent.cols}};
}

/// In the line of `from` along `axis`, the nearest index with another value.
Result<std::optional<Index>> nearest_in_line(LineSearch& search, const Rect& line, Mark::Axis axis, Index from) {
  const auto part = [&](Range range) {
    Rect area = line;
    (axis == Mark::Axis::row ? area.rows : area.cols) = range;
    return area;
  };
  const Range whole = axis == Mark::Axis::row ? line.rows : line.cols;
  auto before = search.find(part({whole.begin, from}), axis, Side::last);
  if (!before) return before;
  auto after = search.find(part({from + 1, whole.end}), axis, Side::first);
  if (!after || !*before) return after;
  return *after && **after - from <= from - **before ? after : before;
}

}  // namespace

Result<std::optional<ChangeCell>> first_nonzero(const Field& field, const std::stop_token& stop) {
  LineSearch search(field, 0, stop);
  Rect area = all_cells(field);
  const auto row = search.find(area, Mark::Axis::row, Side::first);
  if (!row) return row.error();
  if (!*row) return std::optional<ChangeCell>();
  area.rows = {**row, **row + 1};
  const auto col = search.find(area, Mark::Axis::col, Side::first);
  if (!col) return col.error();
  return std::optional(ChangeCell{**row, **col});
}

Result<std::optional<Rect>> nonzero_bounds(const Field& field, const std::stop_token& stop) {
  LineSearch search(field, 0, stop);
  Rect area = all_cells(field);
  for (const auto axis : {Mark::Axis::row, Mark::Axis::col}) {
    const auto first = search.find(area, axis, Side::first);
    if (!first) return first.error();
    if (!*first) return std::optional<Rect>();
    const auto last = search.find(area, axis, Side::last);
    if (!last) return last.error();
    (axis == Mark::Axis::row ? area.rows : area.cols) = {**first, **last + 1};
  }
  return std::optional(area);
}

Result<std::optional<ChangeCell>> nearest_change(const Field& field, ChangeCell from, const std::stop_token& stop) {
  LineSearch search(field, static_cast<float>(field.at(from.row, from.col)), stop);
  const Extent extent = field.extent();
  const Rect row{{from.row, from.row + 1}, {0, extent.cols}};
  const auto col = nearest_in_line(search, row, Mark::Axis::col, from.col);
  if (!col) return col.error();
  if (*col) return std::optional(ChangeCell{from.row, **col});
  const Rect column{{0, extent.rows}, {from.col, from.col + 1}};
  const auto other = nearest_in_line(search, column, Mark::Axis::row, from.row);
  if (!other) return other.error();
  if (!*other) return std::optional<ChangeCell>();
  return std::optional(ChangeCell{**other, from.col});
}

}  // namespace vqscope
