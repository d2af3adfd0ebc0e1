// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask.h"

#include <array>

namespace vqscope {
namespace {

/// Rows asked for at a time, so that masks without bands of their own stay small.
constexpr Index chunk_rows = 65536;

/// Calls visit(rows, bands) for chunks of `rows` until it returns true.
template <class Visit>
void for_each_chunk(const Mask& mask, Range rows, const Visit& visit) {
  std::vector<Band> scratch;
  for (Index begin = rows.begin; begin < rows.end; begin += chunk_rows) {
    const Range chunk{begin, std::min(rows.end, begin + chunk_rows)};
    if (visit(chunk, mask.bands(chunk, scratch))) return;
  }
}

Range common(Range a, Range b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

}  // namespace

std::span<const Band> Mask::bands(Range rows, std::vector<Band>& scratch) const {
  scratch.clear();
  std::vector<Range> intervals;
  for (Index q = rows.begin; q < rows.end; ++q) {
    row(q, intervals);
    if (intervals.empty()) intervals.push_back({});
    for (const Range& interval : intervals)
      scratch.push_back({{q, q + 1}, Ramp::constant(interval.begin), Ramp::constant(interval.end)});
  }
  return scratch;
}

std::uint64_t visible_count(const Mask& mask, Range rows) {
  std::uint64_t count = 0;
  for_each_chunk(mask, rows, [&](Range chunk, std::span<const Band> bands) {
    for (const Band& band : bands) count += band.cells_before(common(band.rows, chunk), mask.extent().cols);
    return false;
  });
  return count;
}

std::optional<Index> first_empty_row(const Mask& mask) {
  std::optional<Index> first;
  std::vector<Range> intervals;
  for_each_chunk(mask, {0, mask.extent().rows}, [&](Range chunk, std::span<const Band> bands) {
    for (const Band& band : bands) {
      const Range rows = common(band.rows, chunk);
      // A band runs empty only where lo climbs up to a standing hi.
      for (const Index q : std::array{rows.begin, band.hi.low - band.lo.offset, band.hi.high - band.lo.offset}) {
        if (!rows.contains(q) || (first && q >= *first)) continue;
        mask.row(q, intervals);
        if (intervals.empty()) first = q;
      }
    }
    return first.has_value();
  });
  return first;
}

}  // namespace vqscope
