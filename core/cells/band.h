// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// One end of a row's interval as a function of the row: clamp(q + offset, low, high). Constant
/// when low == high.
struct Ramp {
  Index offset = 0;
  Index low = 0;
  Index high = 0;

  /// Beyond every column.
  static constexpr Index far = Index{1} << 60;

  static constexpr Ramp constant(Index value) { return {0, value, value}; }
  /// q + offset in every row.
  static constexpr Ramp moving(Index offset) { return {offset, -far, far}; }

  constexpr bool is_constant() const { return low == high; }
  constexpr Index at(Index q) const { return std::clamp(q + offset, low, high); }
  constexpr Ramp within(Range cols) const {
    return {offset, std::clamp(low, cols.begin, cols.end), std::clamp(high, cols.begin, cols.end)};
  }
  friend bool operator==(const Ramp&, const Ramp&) = default;
};

/// The smaller and the larger of two ramps of which one is constant or both move together:
/// otherwise the result is not a ramp.
Ramp min(const Ramp& a, const Ramp& b);
Ramp max(const Ramp& a, const Ramp& b);

/// Sum over the rows q of min(ramp(q), limit), modulo 2^64.
inline std::uint64_t sum_below(const Ramp& ramp, Range rows, Index limit) {
  using Sum = std::uint64_t;
  const Index high = std::min(ramp.high, limit);
  if (high <= ramp.low) return static_cast<Sum>(rows.size()) * static_cast<Sum>(high);
  const Index moves = std::clamp(ramp.low - ramp.offset, rows.begin, rows.end);
  const Index stops = std::clamp(high - ramp.offset, rows.begin, rows.end);
  const auto n = static_cast<Sum>(stops - moves);
  // Halved before it is multiplied, so that it stays right modulo 2^64.
  const Sum triangle = n % 2 == 0 ? n / 2 * (n - 1) : n * ((n - 1) / 2);
  return static_cast<Sum>(moves - rows.begin) * static_cast<Sum>(ramp.low) + n * static_cast<Sum>(moves + ramp.offset) +
         triangle + static_cast<Sum>(rows.end - stops) * static_cast<Sum>(high);
}

/// Some rows, each of which sees the columns [lo(q), hi(q)); lo <= hi everywhere. Causal, windows,
/// prefixes, documents and padding are bands, so a mask of any length is a handful of them.
struct Band {
  Range rows;
  Ramp lo;
  Ramp hi;

  static constexpr Band whole(Range rows, Range cols) {
    return {rows, Ramp::constant(cols.begin), Ramp::constant(cols.end)};
  }

  Range row(Index q) const { return {lo.at(q), hi.at(q)}; }

  /// From the first to the last column that any of its rows can see: no end goes left.
  Range columns() const { return {lo.at(rows.begin), hi.at(rows.end - 1)}; }

  /// Cells of the given rows left of column `limit`, modulo 2^64; q_length * kv_length stays below
  /// 2^64.
  std::uint64_t cells_before(Range some_rows, Index limit) const {
    return sum_below(hi, some_rows, limit) - sum_below(lo, some_rows, limit);
  }

  /// Its cells in a rectangle.
  std::uint64_t cells_in(const Rect& cells) const {
    const Range shared = common(rows, cells.rows);
    return shared.size() > 0 ? cells_before(shared, cells.cols.end) - cells_before(shared, cells.cols.begin) : 0;
  }

  /// All of them.
  std::uint64_t cells() const { return cells_before(rows, Ramp::far); }

  friend bool operator==(const Band&, const Band&) = default;
};

/// Bands of a CellSet that stand next to each other there: sorted by rows, their row ranges equal
/// or disjoint, the columns of equal rows disjoint and sorted.
using Bands = std::span<const Band>;

/// Those that have any of `rows`.
Bands bands_in(Bands bands, Range rows);

}  // namespace vqscope
