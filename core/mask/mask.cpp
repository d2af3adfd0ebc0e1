// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask.h"

#include <array>

namespace vqscope {

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

std::optional<std::uint64_t> Mask::count_cells(const Rect& cells, std::optional<std::size_t> term,
                                               CountBudget& budget) const {
  std::uint64_t count = 0;
  std::vector<Band> scratch;
  const Index step = has_bands() ? cells.rows.size() : 1;
  for (Index begin = cells.rows.begin; begin < cells.rows.end; begin += step) {
    if (!budget.spend(has_bands() ? 1 : row_cost())) return std::nullopt;
    const Range rows{begin, begin + step};
    const auto some = term ? term_bands(*term, rows, scratch) : bands(rows, scratch);
    if (!budget.spend(static_cast<Index>(some.size()))) return std::nullopt;
    for (const Band& band : some) {
      const Range both = common(band.rows, rows);
      count += band.cells_before(both, cells.cols.end) - band.cells_before(both, cells.cols.begin);
    }
  }
  return count;
}

std::uint64_t visible_count(const Mask& mask, Range rows, const std::stop_token& stop) {
  CountBudget budget{.stop = stop};
  const Index step = mask.has_bands() ? rows.size() : rows_at_a_time(mask);
  std::uint64_t count = 0;
  for (Index begin = rows.begin; begin < rows.end; begin += step) {
    const Range some{begin, std::min(rows.end, begin + step)};
    const auto counted = mask.count_cells({some, {0, mask.extent().cols}}, std::nullopt, budget);
    if (!counted) break;
    count += *counted;
  }
  return count;
}

namespace {

std::optional<Index> first_empty_by_rows(const Mask& mask, const std::stop_token& stop) {
  std::vector<Range> intervals;
  for (Index q = 0; q < mask.extent().rows && !stop.stop_requested(); ++q) {
    mask.row(q, intervals);
    if (intervals.empty()) return q;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Index> first_empty_row(const Mask& mask, const std::stop_token& stop) {
  if (!mask.has_bands()) return first_empty_by_rows(mask, stop);
  std::optional<Index> first;
  std::vector<Range> intervals;
  std::vector<Band> scratch;
  for (const Band& band : mask.bands({0, mask.extent().rows}, scratch)) {
    if (stop.stop_requested()) break;
    // A band runs empty only where lo climbs up to a standing hi.
    for (const Index q : std::array{band.rows.begin, band.hi.low - band.lo.offset, band.hi.high - band.lo.offset}) {
      if (!band.rows.contains(q) || (first && q >= *first)) continue;
      mask.row(q, intervals);
      if (intervals.empty()) first = q;
    }
  }
  return first;
}

}  // namespace vqscope
