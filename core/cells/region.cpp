// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/region.h"

#include <algorithm>
#include <limits>

namespace vqscope::language {
namespace {

using Intervals = std::span<const Interval>;

/// The borders of intervals one after another: lo, hi, lo, hi, ...
const End& border(Intervals intervals, std::size_t i) {
  const Interval& interval = intervals[i / 2];
  return i % 2 == 0 ? interval.lo : interval.hi;
}

/// Which of two ends is left of the other in all of some rows.
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

bool holds(Combine how, bool a, bool b) {
  switch (how) {
    case Combine::both: return a && b;
    case Combine::either: return a || b;
    case Combine::first_only: return a && !b;
    case Combine::one_of: return a != b;
  }
  return false;
}

/// One pass over the borders from left to right. Returns where rows must be split first, or -1.
Index sweep(Range rows, Intervals a, Intervals b, Combine how, std::vector<End>& out) {
  out.clear();
  std::size_t i = 0;
  std::size_t j = 0;
  bool inside = false;
  while (i < 2 * a.size() || j < 2 * b.size()) {
    Order which{i < 2 * a.size() ? -1 : 1};
    if (i < 2 * a.size() && j < 2 * b.size()) which = order(border(a, i), border(b, j), rows);
    if (which.cross >= 0) return which.cross;
    const End at = which.sign <= 0 ? border(a, i) : border(b, j);
    if (which.sign <= 0) ++i;
    if (which.sign >= 0) ++j;
    if (holds(how, i % 2 == 1, j % 2 == 1) == inside) continue;
    inside = !inside;
    // An interval, or a gap, that has no width.
    if (!out.empty() && out.back() == at)
      out.pop_back();
    else
      out.push_back(at);
  }
  return -1;
}

/// Intervals that stand wholly to one side of `other` in all rows leave nothing of an intersection.
Intervals near(Range rows, Intervals intervals, Intervals other) {
  const Range span = hull(rows, other);
  const auto left = [&](const Interval& i) {
    return std::max(i.hi.at(rows.begin), i.hi.at(rows.end - 1)) <= span.begin;
  };
  const auto not_right = [&](const Interval& i) {
    return std::min(i.lo.at(rows.begin), i.lo.at(rows.end - 1)) < span.end;
  };
  const auto first = std::partition_point(intervals.begin(), intervals.end(), left);
  return {first, std::partition_point(first, intervals.end(), not_right)};
}

End standing(const End& end, Index q) { return {false, end.at(q)}; }

}  // namespace

Range hull(Range rows, Intervals intervals) {
  const End& lo = intervals.front().lo;
  const End& hi = intervals.back().hi;
  return {std::min(lo.at(rows.begin), lo.at(rows.end - 1)), std::max(hi.at(rows.begin), hi.at(rows.end - 1))};
}

Region Region::whole(Range rows, Range cols) {
  Region region;
  const Interval all{{false, cols.begin}, {false, cols.end}};
  if (rows.size() > 0 && cols.size() > 0) region.append(rows, {&all, 1});
  return region;
}

void Region::reserve_like(const Region& other) {
  m_strips.reserve(other.m_strips.size());
  m_intervals.reserve(other.m_intervals.size());
}

void Region::append(Range rows, Intervals intervals) {
  if (intervals.empty() || rows.size() <= 0) return;
  const std::size_t first = m_intervals.size();
  for (const Interval& interval : intervals) {
    // A single row has ends that stand, so that equal ends look alike.
    const bool one = rows.size() == 1;
    m_intervals.push_back(one ? Interval{standing(interval.lo, rows.begin), standing(interval.hi, rows.begin)}
                              : interval);
    if (one && m_intervals.back().lo == m_intervals.back().hi) m_intervals.pop_back();
  }
  if (m_intervals.size() == first) return;
  if (!m_strips.empty()) {
    Strip& last = m_strips.back();
    const auto same = [](const Interval& x, const Interval& y) { return x.lo == y.lo && x.hi == y.hi; };
    if (last.rows.end == rows.begin && last.last - last.first == m_intervals.size() - first &&
        std::equal(m_intervals.begin() + static_cast<std::ptrdiff_t>(first), m_intervals.end(),
                   m_intervals.begin() + static_cast<std::ptrdiff_t>(last.first), same)) {
      last.rows.end = rows.end;
      m_intervals.resize(first);
      return;
    }
  }
  m_strips.push_back({rows, first, m_intervals.size()});
}

Range Region::columns() const {
  Range all;
  for (const Strip& strip : m_strips) {
    const Range some = hull(strip.rows, intervals(strip));
    all = all.size() == 0 ? some : Range{std::min(all.begin, some.begin), std::max(all.end, some.end)};
  }
  return all;
}

std::size_t Region::gaps_in(Range rows) const {
  std::size_t gaps = 0;
  Index next = rows.begin;
  for (const Strip& strip : m_strips) {
    gaps += next < strip.rows.begin ? 1 : 0;
    next = strip.rows.end;
  }
  return gaps + (next < rows.end ? 1 : 0);
}

std::vector<Band> Region::bands(Range rows) const {
  std::vector<Band> bands;
  bands.reserve(m_intervals.size() + gaps_in(rows));
  Index next = rows.begin;
  const auto nothing = [&](Range gap) {
    if (gap.size() > 0) bands.push_back({gap, Ramp::constant(0), Ramp::constant(0)});
  };
  const auto ramp = [](const End& end, Range of) {
    return end.moves ? Ramp{end.offset, end.at(of.begin), end.at(of.end - 1)} : Ramp::constant(end.offset);
  };
  for (const Strip& strip : m_strips) {
    nothing({next, strip.rows.begin});
    for (const Interval& interval : intervals(strip))
      bands.push_back({strip.rows, ramp(interval.lo, strip.rows), ramp(interval.hi, strip.rows)});
    next = strip.rows.end;
  }
  nothing({next, rows.end});
  return bands;
}

void Combiner::combine(Range rows, Intervals a, Intervals b, Combine how, Region& out) {
  if (a.empty() || b.empty()) {
    if (!a.empty() && how != Combine::both) out.append(rows, a);
    if (!b.empty() && (how == Combine::either || how == Combine::one_of)) out.append(rows, b);
    return;
  }
  if (how == Combine::both) {
    a = near(rows, a, b);
    if (!a.empty()) b = near(rows, b, a);
    if (a.empty() || b.empty()) return;
  }
  while (rows.size() > 0 && left >= 0) {
    Range part = rows;
    for (Index cross = 0; left >= 0 && cross >= 0;) {
      left -= static_cast<Index>(a.size() + b.size());
      cross = sweep(part, a, b, how, m_ends);
      if (cross >= 0) part.end = cross;
    }
    if (left < 0) return;
    m_made.clear();
    for (std::size_t i = 0; i + 1 < m_ends.size(); i += 2) m_made.push_back({m_ends[i], m_ends[i + 1]});
    out.append(part, m_made);
    if (out.size() > most_intervals) left = -1;
    rows.begin = part.end;
  }
}

Region Combiner::combine(const Region& a, const Region& b, Combine how) {
  Region out;
  std::size_t i = 0;
  std::size_t j = 0;
  constexpr Index far = std::numeric_limits<Index>::max();
  const auto left_strips = a.strips();
  const auto right_strips = b.strips();
  Index row = std::numeric_limits<Index>::min();
  while ((i < left_strips.size() || j < right_strips.size()) && left >= 0) {
    --left;
    const Range ra = i < left_strips.size() ? left_strips[i].rows : Range{far, far};
    const Range rb = j < right_strips.size() ? right_strips[j].rows : Range{far, far};
    const Index begin = std::max(row, std::min(ra.begin, rb.begin));
    const bool in_a = ra.begin <= begin;
    const bool in_b = rb.begin <= begin;
    const Index end = std::min(in_a ? ra.end : ra.begin, in_b ? rb.end : rb.begin);
    combine({begin, end}, in_a ? a.intervals(left_strips[i]) : Intervals{},
            in_b ? b.intervals(right_strips[j]) : Intervals{}, how, out);
    row = end;
    if (in_a && ra.end == end) ++i;
    if (in_b && rb.end == end) ++j;
  }
  return out;
}

}  // namespace vqscope::language
