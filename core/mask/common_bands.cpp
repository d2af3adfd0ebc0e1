// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/common_bands.h"

#include "core/cells/band_overlap.h"

#include <array>

namespace vqscope {
namespace {

constexpr Index pair_steps = 256;  ///< nanoseconds, about

/// The rows at which one of the ramps may stop or start moving, or meet another: between two of them each ramp is one
/// straight line, and no two cross.
void append_cuts(const std::array<Ramp, 4>& ramps, Range rows, std::vector<Index>& cuts) {
  cuts.assign({rows.begin, rows.end});
  for (const Ramp& moving : ramps) {
    if (moving.is_constant()) continue;
    for (const Ramp& other : ramps)
      for (const Index level : {other.low, other.high})
        for (const Index row : {level - moving.offset, level - moving.offset + 1})
          if (row > rows.begin && row < rows.end) cuts.push_back(row);
  }
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
}

/// A line through its values at the first and the last row.
Ramp line(Range rows, Index first, Index last) {
  return first == last ? Ramp::constant(first) : Ramp{first - rows.begin, first, last};
}

}  // namespace

void append_common(const Band& a, const Band& b, std::vector<Band>& out) {
  const Range rows = common(a.rows, b.rows);
  if (rows.size() <= 0 || a.hi.high <= b.lo.low || b.hi.high <= a.lo.low) return;
  std::vector<Index> cuts;
  append_cuts({a.lo, a.hi, b.lo, b.hi}, rows, cuts);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Range piece{cuts[i], cuts[i + 1]};
    const auto lo = [&](Index q) { return std::max(a.lo.at(q), b.lo.at(q)); };
    const auto hi = [&](Index q) { return std::min(a.hi.at(q), b.hi.at(q)); };
    const Index last = piece.end - 1;
    if (lo(piece.begin) > hi(piece.begin) || lo(last) > hi(last)) continue;
    const Band band{piece, line(piece, lo(piece.begin), lo(last)), line(piece, hi(piece.begin), hi(last))};
    if (band.lo != band.hi) out.push_back(band);
  }
}

void common_ranges(std::span<const Range> a, std::span<const Range> b, std::vector<Range>& out) {
  out.clear();
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const Range both = common(*x, *y);
    if (both.size() > 0) out.push_back(both);
    x->end < y->end ? ++x : ++y;
  }
}

bool common_bands(const Mask& a, const Mask& b, Range rows, CountBudget& budget, std::vector<Band>& out) {
  assert(a.has_bands() && b.has_bands());
  constexpr std::size_t most = std::size_t{1} << 20;  // 64 MiB
  out.clear();
  std::vector<Band> scratch_a;
  std::vector<Band> scratch_b;
  const auto bands_b = b.bands(rows, scratch_b);
  for (Band band : a.bands(rows, scratch_a)) {
    band.rows = common(band.rows, rows);
    if (band.rows.size() <= 0) continue;
    const bool all = for_each_touching(band, bands_b, [&](const Band& other) {
      append_common(band, other, out);
      return budget.spend(pair_steps) && out.size() <= most;
    });
    if (!all || !budget.spend(1)) return false;
  }
  return true;
}

}  // namespace vqscope
