// SPDX-License-Identifier: GPL-3.0-or-later
// Counting cells without a look at each, on a budget: what is returned is of no use once that is over.
#pragma once

#include "core/cells/band.h"
#include "core/cells/count_budget.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vqscope {

/// The first and the last of some rows, and those at which one of at most four ends begins or stops
/// to move or meets a standing end of another. Between two of them each end is straight, and no two
/// change sides.
class RowCuts {
 public:
  RowCuts(std::span<const Ramp> ramps, Range rows) {
    assert(ramps.size() <= most_ramps);
    add(rows.begin);
    add(rows.end);
    for (const Ramp& moving : ramps) {
      if (moving.is_constant()) continue;
      for (const Ramp& other : ramps)
        for (const Index value : {other.low, other.high}) {
          const Index q = value - moving.offset;
          if (rows.begin < q && q < rows.end) add(q);
        }
    }
  }

  /// Calls visit(rows) for the segments between the cuts.
  template <class Visit>
  void for_each_piece(const Visit& visit) const {
    for (std::size_t i = 0; i + 1 < m_size; ++i) visit(Range{m_rows[i], m_rows[i + 1]});
  }

 private:
  static constexpr std::size_t most_ramps = 4;

  /// Keeps them sorted, each once: mostly they are the same few.
  void add(Index q) {
    std::size_t at = m_size;
    while (at > 0 && m_rows[at - 1] > q) --at;
    if (at > 0 && m_rows[at - 1] == q) return;
    std::copy_backward(m_rows.begin() + at, m_rows.begin() + m_size, m_rows.begin() + m_size + 1);
    m_rows[at] = q;
    ++m_size;
  }

  std::array<Index, 2 + 2 * most_ramps * most_ramps> m_rows;  ///< the first m_size
  std::size_t m_size = 0;
};

/// Cells in some rows, modulo 2^64.
std::uint64_t cell_count(Bands bands, Range rows, CountBudget& budget);

/// Cells that two sets have in common in some rows, modulo 2^64.
std::uint64_t common_cells(Bands a, Bands b, Range rows, CountBudget& budget);

/// The rows of `rows` without a cell: sorted, disjoint, not touching.
std::vector<Range> empty_rows(Bands bands, Range rows, CountBudget& budget);

/// Calls visit(rows, first, last) for the segments of some rows in which two bands have cells in
/// common: the columns `first` of the first row move evenly to `last` in the last. The ends of two
/// bands cross in a few rows only.
template <class Visit>
void for_each_common_piece(const Band& a, const Band& b, Range rows, const Visit& visit) {
  if (rows.size() <= 0 || a.hi.high <= b.lo.low || b.hi.high <= a.lo.low) return;
  const std::array ramps{a.lo, a.hi, b.lo, b.hi};
  const auto both = [&](Index q) { return common(a.row(q), b.row(q)); };
  RowCuts(ramps, rows).for_each_piece([&](Range piece) {
    const Range first = both(piece.begin);
    const Range last = both(piece.end - 1);
    if (first.size() > 0 || last.size() > 0) visit(piece, first, last);
  });
}

/// The same for all bands of two sets, in no order; the segments share no cell. False once the
/// budget is over.
template <class Visit>
bool for_each_common(Bands a, Bands b, Range rows, CountBudget& budget, const Visit& visit) {
  // About how many nanoseconds a look at a band takes, and one at what two have in common.
  constexpr Index band_steps = 16;
  constexpr Index pair_steps = 64;
  for (Band one : bands_in(a, rows)) {
    one.rows = common(one.rows, rows);
    const Range cols = one.columns();
    for (Bands left = bands_in(b, one.rows); !left.empty();) {
      // Bands of equal rows are sorted by columns, so only adjacent ones are compared.
      const Index row = left.front().rows.begin;
      const auto end = std::ranges::partition_point(left, [&](const Band& other) { return other.rows.begin == row; });
      auto other =
          std::partition_point(left.begin(), end, [&](const Band& o) { return o.columns().end <= cols.begin; });
      for (; other != end && other->columns().begin < cols.end; ++other) {
        for_each_common_piece(one, *other, common(one.rows, other->rows), visit);
        if (!budget.spend(pair_steps)) return false;
      }
      left = {end, left.end()};
    }
    if (!budget.spend(band_steps)) return false;
  }
  return true;
}

}  // namespace vqscope
