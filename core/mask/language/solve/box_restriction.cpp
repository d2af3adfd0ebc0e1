// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/sum_restriction.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// Whether the ends, over all rows, are entirely left of a piece, in it, or right of it.
bool needs_no_cut(const Segment& segment, Range rows) {
  const auto stays = [&](const Ramp& end) {
    const Index first = end.at(rows.begin), last = end.at(rows.end - 1);
    return last <= segment.cols.begin || first >= segment.cols.end ||
           (first >= segment.cols.begin && last <= segment.cols.end);
  };
  return segment.rows == rows && stays(segment.lo) && stays(segment.hi);
}

/// Between two cuts an end is entirely left of a piece, in it, or right of it.
void add_segment(const Segment& segment, Range rows, std::vector<Band>& columns) {
  if (segment.rows.begin > rows.begin || segment.rows.end < rows.end) return;
  const auto limited = [&](const Ramp& end) {
    if (end.at(rows.end - 1) <= segment.cols.begin) return Ramp::constant(segment.cols.begin);
    if (end.at(rows.begin) >= segment.cols.end) return Ramp::constant(segment.cols.end);
    return end;
  };
  const Band made{rows, limited(segment.lo), limited(segment.hi)};
  if (made.lo == made.hi) return;
  if (!columns.empty() && columns.back().hi == made.lo)
    columns.back().hi = made.hi;
  else
    columns.push_back(made);
}

}  // namespace

void SumRestriction::box_row(const LinePiece& f, const Part& g, Relation relation, Index target, Bands intervals,
                             CellSet& out) {
  const Range over = hull(f.range, intervals);
  if (over.size() <= 0) return;
  std::vector<Segment>& segments = m_segments;
  segments.clear();
  for_pieces(g, over, m_near_key, [&](const ArrayPiece& piece) {
    Segment segment{common(piece.range, over), f.range, Ramp::constant(piece.range.begin),
                    Ramp::constant(piece.range.end)};
    if (narrow(f, {piece.range, g.first(piece), g.slope(piece)}, relation, target, segment))
      segments.push_back(segment);
  });
  std::vector<Band>& columns = m_columns;
  // Usually one range whose ends do not meet the ends of a piece: a document and its keys.
  if (segments.empty()) return;
  if (segments.size() == 1 && needs_no_cut(segments.front(), f.range)) {
    if (!m_work.spend(1) || !m_work.fits(out)) return;
    columns.clear();
    add_segment(segments.front(), f.range, columns);
    m_work.intersect(f.range, intervals, columns, out);
    return;
  }
  cut_rows(f.range);
  for (std::size_t i = 0; i + 1 < m_cuts.size(); ++i) {
    if (!m_work.spend(static_cast<Index>(segments.size())) || !m_work.fits(out)) return;
    const Range rows{m_cuts[i], m_cuts[i + 1]};
    columns.clear();
    for (const Segment& segment : segments) add_segment(segment, rows, columns);
    m_work.intersect(rows, intervals, columns, out);
  }
}

void SumRestriction::cut_rows(Range rows) {
  m_cuts.assign({rows.begin, rows.end});
  const auto cut = [&](Index row) {
    if (row > rows.begin && row < rows.end) m_cuts.push_back(row);
  };
  for (const Segment& segment : m_segments) {
    cut(segment.rows.begin);
    cut(segment.rows.end);
    for (const Ramp& end : {segment.lo, segment.hi}) {
      if (end.is_constant()) continue;
      cut(segment.cols.begin - end.offset);
      // In the row in which an end meets the piece's end, the end may still count as moving, so
      // that most pieces need no cut.
      cut(segment.cols.end - end.offset + 1);
    }
  }
  std::ranges::sort(m_cuts);
  m_cuts.erase(std::unique(m_cuts.begin(), m_cuts.end()), m_cuts.end());
}

bool SumRestriction::narrow(const LinePiece& f, const LinePiece& g, Relation relation, Index target, Segment& segment) {
  if (f.slope == 0) {
    const Range t = relation == Relation::equal ? where_equal(g.first, g.slope, g.range.size(), target - f.first)
                                                : where_at_most(g.first, g.slope, g.range.size(), target - f.first);
    segment.lo = Ramp::constant(g.range.begin + t.begin);
    segment.hi = Ramp::constant(g.range.begin + t.end);
    return t.size() > 0;
  }
  if (g.slope == 0) {
    const Range t = relation == Relation::equal ? where_equal(f.first, f.slope, f.range.size(), target - g.first)
                                                : where_at_most(f.first, f.slope, f.range.size(), target - g.first);
    segment.rows = {f.range.begin + t.begin, f.range.begin + t.end};
    return t.size() > 0;
  }
  if (f.slope != -g.slope) return m_work.fail(), false;
  // Compares g.slope * (kv - g.begin) - g.slope * (q - f.begin) with the rest.
  const Index scratch = target - f.first - g.first;
  const Index same = g.range.begin - f.range.begin;
  const bool is_unit = g.slope == 1 || g.slope == -1;
  const Index steps = is_unit ? scratch * g.slope : floor_divide(scratch, g.slope);
  const bool even = is_unit || floor_modulo(scratch, g.slope) == 0;
  if (relation == Relation::equal) {
    segment.lo = Ramp::moving(same + steps);
    segment.hi = Ramp::moving(same + steps + 1);
    return even;
  }
  if (g.slope > 0)
    segment.hi = Ramp::moving(same + steps + 1);
  else
    segment.lo = Ramp::moving(same + (even ? steps : steps + 1));
  return true;
}

}  // namespace vqscope::language
