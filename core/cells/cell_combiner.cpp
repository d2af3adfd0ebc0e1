// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/cell_combiner.h"

#include <algorithm>

namespace vqscope {
namespace {

bool holds(Combine how, bool a, bool b) {
  switch (how) {
    case Combine::both: return a && b;
    case Combine::either: return a || b;
    case Combine::first_only: return a && !b;
    case Combine::one_of: return a != b;
  }
  return false;
}

/// Bands that stand wholly to one side of `other` in all rows leave nothing of an intersection.
Bands near(Range rows, Bands columns, Bands other) {
  const Range span = hull(rows, other);
  const auto left = [&](const Band& band) { return band.hi.at(rows.end - 1) <= span.begin; };
  const auto not_right = [&](const Band& band) { return band.lo.at(rows.begin) < span.end; };
  const auto first = std::partition_point(columns.begin(), columns.end(), left);
  return {first, std::partition_point(first, columns.end(), not_right)};
}

/// Whether all columns that some rows have are in one band, which does not move there.
bool covers(Bands one, Range rows, Bands columns) {
  if (one.size() != 1) return false;
  const Range all = hull(rows, columns);
  return one.front().lo.at(rows.end - 1) <= all.begin && one.front().hi.at(rows.begin) >= all.end;
}

/// An end of a straight band: it stands at `offset` or moves along at q + offset.
struct End {
  bool moves = false;
  Index offset = 0;
  Index at(Index q) const { return moves ? q + offset : offset; }
  Ramp ramp() const { return moves ? Ramp::moving(offset) : Ramp::constant(offset); }
};

/// The borders of bands one after another: lo, hi, lo, hi, ...
End border(Bands columns, std::size_t i) {
  const Band& band = columns[i / 2];
  const Ramp& ramp = i % 2 == 0 ? band.lo : band.hi;
  return ramp.is_constant() ? End{false, ramp.low} : End{true, ramp.offset};
}

/// Order of two ends in all of some rows.
struct Order {
  int sign = 0;      ///< -1: a is never right of b; 0: they are the same
  Index cross = -1;  ///< they change sides: the row from which on the other one is not left any more
};

Order order(const End& a, const End& b, Range rows) {
  if (a.moves == b.moves) return {a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0};
  const Index first = a.at(rows.begin) - b.at(rows.begin);
  const Index last = a.at(rows.end - 1) - b.at(rows.end - 1);
  if (first == 0 && last == 0) return {0};
  if (first <= 0 && last <= 0) return {-1};
  if (first >= 0 && last >= 0) return {1};
  return {0, a.moves ? b.offset - a.offset : a.offset - b.offset};
}

/// One pass over the borders of both from left to right, of which neither is empty. Returns where
/// rows must be split first, or -1.
Index sweep(Range rows, Bands a, Bands b, Combine how, std::vector<Band>& made) {
  made.clear();
  std::size_t i = 0;
  std::size_t j = 0;
  bool inside = false;
  Ramp begin;
  End of_a = border(a, 0);
  End of_b = border(b, 0);
  while (i < 2 * a.size() || j < 2 * b.size()) {
    Order which{i < 2 * a.size() ? -1 : 1};
    if (i < 2 * a.size() && j < 2 * b.size()) which = order(of_a, of_b, rows);
    if (which.cross >= 0) return which.cross;
    const End at = which.sign <= 0 ? of_a : of_b;
    if (which.sign <= 0 && ++i < 2 * a.size()) of_a = border(a, i);
    if (which.sign >= 0 && ++j < 2 * b.size()) of_b = border(b, j);
    if (holds(how, i % 2 == 1, j % 2 == 1) == inside) continue;
    inside = !inside;
    const Ramp ramp = at.ramp();
    if (inside) {
      begin = ramp;
      // Behind a gap that has no width.
      if (!made.empty() && made.back().hi == ramp) {
        begin = made.back().lo;
        made.pop_back();
      }
    } else if (begin != ramp) {
      made.push_back({rows, begin, ramp});
    }
  }
  return -1;
}

}  // namespace

void CellCombiner::combine(Range rows, Bands a, Bands b, Combine how, CellSet& out) {
  if (a.empty() || b.empty()) {
    if (!a.empty() && how != Combine::both) out.append(rows, a);
    if (!b.empty() && (how == Combine::either || how == Combine::one_of)) out.append(rows, b);
    return;
  }
  if (how == Combine::both) {
    a = near(rows, a, b);
    if (!a.empty()) b = near(rows, b, a);
    if (a.empty() || b.empty()) return;
    const bool all_of_a = covers(b, rows, a);
    if (all_of_a || covers(a, rows, b)) {
      const Bands common = all_of_a ? a : b;
      left -= static_cast<Index>(common.size());
      if (out.append(rows, common); out.size() > most_bands) left = -1;
      return;
    }
  }
  while (rows.size() > 0 && left >= 0) {
    Range part = rows;
    for (Index cross = 0; left >= 0 && cross >= 0;) {
      left -= static_cast<Index>(a.size() + b.size());
      cross = sweep(part, a, b, how, m_made);
      if (cross >= 0) part.end = cross;
    }
    if (left < 0) return;
    out.append(part, m_made);
    if (out.size() > most_bands) left = -1;
    rows.begin = part.end;
  }
}

CellSet CellCombiner::combine(const CellSet& a, const CellSet& b, Combine how) {
  if (!a.is_straight()) return combine(straightened(a), b, how);
  if (!b.is_straight()) return combine(a, straightened(b), how);
  CellSet out;
  out.reserve_like(a.size() > b.size() ? a : b);
  constexpr Index far = std::numeric_limits<Index>::max();
  constexpr Range none{far, far};
  auto in_a = a.strips().begin();
  auto in_b = b.strips().begin();
  const std::default_sentinel_t end;
  Index row = std::numeric_limits<Index>::min();
  while ((in_a != end || in_b != end) && left >= 0) {
    --left;
    const Range ra = in_a != end ? in_a->rows : none;
    const Range rb = in_b != end ? in_b->rows : none;
    const Index begin = std::max(row, std::min(ra.begin, rb.begin));
    const bool has_a = ra.begin <= begin;
    const bool has_b = rb.begin <= begin;
    row = std::min(has_a ? ra.end : ra.begin, has_b ? rb.end : rb.begin);
    combine({begin, row}, has_a ? in_a->columns : Bands(), has_b ? in_b->columns : Bands(), how, out);
    if (has_a && ra.end == row) ++in_a;
    if (has_b && rb.end == row) ++in_b;
  }
  return out;
}

CellSet CellCombiner::straightened(const CellSet& set) {
  CellSet out;
  std::vector<Index> cuts;
  for (const Strip& strip : set.strips()) {
    cuts.assign({strip.rows.begin, strip.rows.end});
    for (const Band& band : strip.columns)
      for (const Ramp& ramp : {band.lo, band.hi})
        for (const Index bend : {ramp.low - ramp.offset, ramp.high - ramp.offset})
          if (!ramp.is_constant() && strip.rows.begin < bend && bend < strip.rows.end) cuts.push_back(bend);
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      left -= static_cast<Index>(strip.columns.size());
      if (left < 0 || out.size() > most_bands) return left = -1, CellSet();
      const Range rows{cuts[i], cuts[i + 1]};
      for (const Band& band : strip.columns) out.append({rows, band.lo, band.hi});
    }
  }
  return out;
}

}  // namespace vqscope
