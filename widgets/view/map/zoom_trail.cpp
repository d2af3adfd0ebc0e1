// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/zoom_trail.h"

#include "core/field/tile_grid.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr std::size_t mostStops = 100;
constexpr double mostZoom = 256;  // 16 along each side

double cellsOf(const std::optional<ViewRange>& range) {
  if (!range) return std::numeric_limits<double>::infinity();
  return (range->row_last - range->row_first) * (range->col_last - range->col_first);
}

bool contains(const ViewRange& outer, const ViewRange& inner) {
  return outer.row_first <= inner.row_first && inner.row_last <= outer.row_last && outer.col_first <= inner.col_first &&
         inner.col_last <= outer.col_last && outer != inner;
}

constexpr double fewestAround = 8;  // on a side of a range around a cell

void scale(double& first, double& last, double factor, std::optional<Index> around) {
  double at = (first + last) / 2;
  if (const double cell = static_cast<double>(around.value_or(-1)) + 0.5; around && cell > first && cell < last)
    at = cell;
  first = at - (at - first) * factor;
  last = at + (last - at) * factor;
}

void reveal(double& first, double& last, Index at) {
  const auto begin = static_cast<double>(at);
  const double size = last - first;
  if (begin >= first && begin + 1 <= last) return;
  first = begin + 0.5 - size / 2;
  last = first + size;
}

std::pair<double, double> span(Index at, Index cells, double shown) {
  const double size = std::min(static_cast<double>(cells), std::max(fewestAround, shown));
  const double middle = static_cast<double>(at) + 0.5;
  return {middle - size / 2, middle + size / 2};
}

}  // namespace

void ZoomTrail::visit(const std::optional<ViewRange>& range, Move move) {
  if (range == m_here) return;
  const double cells = cellsOf(range);
  const bool continues =
      move == Move::step && m_begin && range && cells * mostZoom > *m_begin && cells < mostZoom * *m_begin;
  if (!continues) {
    m_past.push_back(m_here);
    if (m_past.size() > mostStops) m_past.erase(m_past.begin());
    m_begin = move == Move::step && range ? std::optional(cells) : std::nullopt;
  }
  m_here = range;
}

std::optional<ViewRange> ZoomTrail::back() {
  if (m_past.empty()) return m_here;
  m_here = m_past.back();
  m_past.pop_back();
  m_begin.reset();
  return m_here;
}

std::vector<ViewRange> ZoomTrail::around() const {
  std::vector<ViewRange> chain;
  if (!m_here) return chain;
  const ViewRange* inner = &*m_here;
  for (auto stop = m_past.rbegin(); stop != m_past.rend(); ++stop) {
    if (!*stop || !contains(**stop, *inner)) continue;
    chain.push_back(**stop);
    inner = &**stop;
  }
  std::ranges::reverse(chain);
  return chain;
}

void ZoomTrail::clear() { *this = {}; }

ViewRange fitted(ViewRange range, Extent extent) {
  clamp_span(range.row_first, range.row_last, extent.rows);
  clamp_span(range.col_first, range.col_last, extent.cols);
  return range;
}

ViewRange scaled(ViewRange range, double factor, const std::optional<Cell>& around) {
  scale(range.row_first, range.row_last, factor, around ? std::optional(around->row) : std::nullopt);
  scale(range.col_first, range.col_last, factor, around ? std::optional(around->col) : std::nullopt);
  return range;
}

ViewRange revealing(ViewRange range, Cell cell) {
  reveal(range.row_first, range.row_last, cell.row);
  reveal(range.col_first, range.col_last, cell.col);
  return range;
}

ViewRange rangeAround(Cell cell, double pixels, Extent extent, QSize map) {
  const auto [row_first, row_last] = span(cell.row, extent.rows, map.height() / pixels);
  const auto [col_first, col_last] = span(cell.col, extent.cols, map.width() / pixels);
  return {row_first, row_last, col_first, col_last};
}

}  // namespace vqscope
