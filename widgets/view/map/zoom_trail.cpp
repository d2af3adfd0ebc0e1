// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/zoom_trail.h"

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

}  // namespace vqscope
