// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"

#include <limits>
#include <span>
#include <vector>

namespace vqscope::language {

/// One end of an interval as a function of the row: it stands still at `offset` or moves along at q + offset.
struct End {
  bool moves = false;
  Index offset = 0;
  Index at(Index q) const { return moves ? q + offset : offset; }
  friend bool operator==(const End&, const End&) = default;
};

struct Interval {
  End lo;
  End hi;  ///< never below lo, may be equal to it in some rows
};

/// Some rows with the same intervals: sorted, none beginning before another one ends.
struct Strip {
  Range rows;
  std::size_t first = 0;  ///< into Region::intervals
  std::size_t last = 0;
};

/// Which cells are meant: strips sorted by rows, disjoint; rows without a strip have no cells.
class Region {
 public:
  static Region whole(Range rows, Range cols);

  std::span<const Strip> strips() const { return m_strips; }
  std::span<const Interval> intervals(const Strip& strip) const {
    return std::span(m_intervals).subspan(strip.first, strip.last - strip.first);
  }
  bool empty() const { return m_strips.empty(); }
  std::size_t size() const { return m_intervals.size(); }

  /// Below every row that is there already. Without intervals nothing is added.
  void append(Range rows, std::span<const Interval> intervals);

  /// Room for as much as another region has.
  void reserve_like(const Region& other);

  /// The columns that any cell can have.
  Range columns() const;

  /// Bands that cover all of `rows`, an empty one where there is nothing.
  std::vector<Band> bands(Range rows) const;

 private:
  /// Stretches of `rows` without a strip.
  std::size_t gaps_in(Range rows) const;

  std::vector<Strip> m_strips;
  std::vector<Interval> m_intervals;
};

enum class Combine { both, either, first_only, one_of };

/// What a region may have before its cells count as those of a mask that cannot be solved: 32 MiB of intervals.
inline constexpr std::size_t most_intervals = std::size_t{1} << 20;

/// Joins regions, and counts the borders that it looks at; once `left` is below 0, of its own or because a region has
/// become too large, what it gives is of no use.
class Combiner {
 public:
  Index left = std::numeric_limits<Index>::max();

  Region combine(const Region& a, const Region& b, Combine how);

  /// The same for some rows, appended to `out`; rows are split where ends cross.
  void combine(Range rows, std::span<const Interval> a, std::span<const Interval> b, Combine how, Region& out);

 private:
  std::vector<End> m_ends;
  std::vector<Interval> m_made;
};

/// Smallest and largest column of a strip's intervals over some of its rows.
Range hull(Range rows, std::span<const Interval> intervals);

}  // namespace vqscope::language
