// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask.h"

#include <array>

namespace vqscope {
namespace {

Range common(Range a, Range b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

}  // namespace

std::vector<MaskColumn> Mask::columns() const {
  std::vector<MaskColumn> columns;
  for (auto& name : terms()) columns.push_back({std::move(name), columns.size()});
  return columns;
}

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

std::uint64_t visible_count(const Mask& mask, Range rows, const std::stop_token& stop) {
  std::uint64_t count = 0;
  std::vector<Band> scratch;
  for_each_chunk(mask, rows, scratch, [&](Range chunk, std::span<const Band> bands) {
    for (const Band& band : bands) count += band.cells_before(common(band.rows, chunk), mask.extent().cols);
    return stop.stop_requested();
  });
  return count;
}

std::optional<Index> first_empty_row(const Mask& mask) {
  std::optional<Index> first;
  std::vector<Range> intervals;
  std::vector<Band> scratch;
  for_each_chunk(mask, {0, mask.extent().rows}, scratch, [&](Range chunk, std::span<const Band> bands) {
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
