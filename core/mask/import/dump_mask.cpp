// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/dump_mask.h"

namespace vqscope {

DumpMask::DumpMask(Extent extent, std::vector<Interval> intervals, std::vector<std::size_t> row_ends,
                   std::vector<double> numbers)
    : m_extent(extent),
      m_intervals(std::move(intervals)),
      m_row_ends(std::move(row_ends)),
      m_numbers(std::move(numbers)) {
  assert(m_row_ends.size() == static_cast<std::size_t>(extent.rows) && m_row_ends.back() == m_intervals.size());
}

std::span<const DumpMask::Interval> DumpMask::intervals_of(Index q) const {
  const auto row = static_cast<std::size_t>(q);
  const std::size_t begin = row == 0 ? 0 : m_row_ends[row - 1];
  return std::span(m_intervals).subspan(begin, m_row_ends[row] - begin);
}

std::shared_ptr<const DumpMask> DumpMask::inverted() const {
  std::vector<Interval> gaps;
  std::vector<std::size_t> gap_ends;
  gap_ends.reserve(m_row_ends.size());
  for (Index q = 0; q < m_extent.rows; ++q) {
    std::uint32_t begin = 0;
    for (const Interval& each : intervals_of(q)) {
      if (each.begin > begin) gaps.push_back({begin, each.begin});
      begin = each.end;
    }
    if (Index{begin} < m_extent.cols) gaps.push_back({begin, static_cast<std::uint32_t>(m_extent.cols)});
    gap_ends.push_back(gaps.size());
  }
  return std::make_shared<DumpMask>(m_extent, std::move(gaps), std::move(gap_ends), m_numbers);
}

std::optional<std::size_t> DumpMask::failing_term(Index q, Index kv) const {
  const auto row = intervals_of(q);
  const auto after = std::ranges::partition_point(row, [&](const Interval& each) { return Index{each.end} <= kv; });
  return after != row.end() && Index{after->begin} <= kv ? std::nullopt : std::optional<std::size_t>(0);
}

std::string DumpMask::why(Index q, Index kv) const {
  return visible(q, kv) ? "visible: dump holds" : "masked by dump: the file masks this cell";
}

void DumpMask::verdicts(Index q, Index kv, std::vector<Verdict>& out) const {
  out = {visible(q, kv) ? Verdict::yes : Verdict::no};
}

void DumpMask::row(Index q, std::vector<Range>& out) const {
  out.clear();
  for (const Interval& each : intervals_of(q)) out.push_back({each.begin, each.end});
}

std::span<const Band> DumpMask::term_bands(std::size_t, Range rows, std::vector<Band>& scratch) const {
  return bands(rows, scratch);
}

}  // namespace vqscope
