// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask.h"

namespace vqscope {

void append_row(Index q, std::span<const Range> intervals, std::vector<Band>& out) {
  if (intervals.empty()) out.push_back(Band::whole({q, q + 1}, {}));
  for (const Range& interval : intervals) out.push_back(Band::whole({q, q + 1}, interval));
}

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
    append_row(q, intervals, scratch);
  }
  return scratch;
}

bool Mask::read_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const {
  row(q, out);
  if (out.size() > most_row_intervals) budget.give_up();
  if (!budget.spend(static_cast<Index>(out.size()) + 1)) return false;
  clip(out, cols);
  return true;
}

std::optional<Coverage> Mask::certain_coverage(const Rect& cells, CountBudget& budget) const {
  if (const Coverage known = coverage(cells); known != Coverage::mixed) return known;
  std::uint64_t seen = 0;
  std::uint64_t area = 0;
  std::vector<Band> scratch;
  for (Index begin = cells.rows.begin; begin < cells.rows.end;) {
    Range chunk{begin, cells.rows.end};
    std::span<const Band> some;
    if (!read_bands(*this, chunk, budget, scratch, some)) return std::nullopt;
    for (const Band& band : some) seen += band.cells_in({chunk, cells.cols});
    area += Rect{chunk, cells.cols}.area();
    if (seen > 0 && seen < area) return Coverage::mixed;
    if (!budget.spend(static_cast<Index>(some.size()))) return std::nullopt;
    begin = chunk.end;
  }
  return seen == 0 ? Coverage::none : Coverage::all;
}

std::optional<std::uint64_t> Mask::count_cells(const Rect& cells, std::optional<std::size_t> term,
                                               CountBudget& budget) const {
  std::uint64_t count = 0;
  std::vector<Band> scratch;
  const auto add = [&](Range rows, std::span<const Band> some) {
    for (const Band& band : some) count += band.cells_in({rows, cells.cols});
    return budget.spend(static_cast<Index>(some.size()));
  };
  if (!term) {
    const Range read = for_each_chunk(*this, cells.rows, budget, scratch, add);
    return read == cells.rows && !budget.is_over() ? std::optional(count) : std::nullopt;
  }
  const Index step = has_bands() ? cells.rows.size() : 1;
  for (Index begin = cells.rows.begin; begin < cells.rows.end; begin += step) {
    if (!budget.spend(has_bands() ? 1 : row_cost())) return std::nullopt;
    const Range rows{begin, begin + step};
    if (!add(rows, term_bands(*term, rows, scratch))) return std::nullopt;
  }
  return count;
}

bool read_bands(const Mask& mask, Range& rows, CountBudget& budget, std::vector<Band>& scratch,
                std::span<const Band>& bands) {
  if (mask.has_bands()) {
    bands = mask.bands(rows, scratch);
    return budget.spend(1);
  }
  constexpr std::size_t enough = std::size_t{1} << 16;
  constexpr Index most_rows = 4096;
  scratch.clear();
  std::vector<Range> intervals;
  const Range wanted{rows.begin, std::min(rows.end, rows.begin + most_rows)};
  for (rows.end = rows.begin; rows.end < wanted.end && scratch.size() < enough; ++rows.end) {
    if (!read_row(mask, rows.end, budget, intervals)) return false;
    append_row(rows.end, intervals, scratch);
  }
  bands = scratch;
  return true;
}

std::optional<std::uint64_t> visible_count(const Mask& mask, Range rows, CountBudget& budget) {
  return mask.count_cells({rows, {0, mask.extent().cols}}, std::nullopt, budget);
}

}  // namespace vqscope
