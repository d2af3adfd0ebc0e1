// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_mask.h"

namespace vqscope {

ImportedMask::ImportedMask(Extent extent, ImportedRuns runs, std::vector<double> numbers)
    : m_extent(extent), m_runs(std::move(runs)), m_numbers(std::move(numbers)) {
  assert(m_runs.rows() == extent.rows);
}

std::shared_ptr<const ImportedMask> ImportedMask::inverted() const {
  ImportedRuns inverse;
  std::vector<KeyInterval> gaps;
  for (std::size_t run = 0; run < m_runs.run_count(); ++run) {
    gaps.clear();
    std::uint32_t begin = 0;
    for (const KeyInterval& each : m_runs.intervals_of(run)) {
      if (each.begin > begin) gaps.push_back({begin, each.begin});
      begin = each.end;
    }
    if (Index{begin} < m_extent.cols) gaps.push_back({begin, static_cast<std::uint32_t>(m_extent.cols)});
    inverse.append(gaps, m_runs.rows_of(run).size());
  }
  return std::make_shared<ImportedMask>(m_extent, std::move(inverse), m_numbers);
}

std::optional<std::size_t> ImportedMask::failing_term(Index q, Index kv) const {
  const auto row = intervals_of(q);
  const auto after = std::ranges::partition_point(row, [&](const KeyInterval& each) { return Index{each.end} <= kv; });
  return after != row.end() && Index{after->begin} <= kv ? std::nullopt : std::optional<std::size_t>(0);
}

std::string ImportedMask::why(Index q, Index kv) const {
  return visible(q, kv) ? "visible: dump holds" : "masked by dump: the file masks this cell";
}

void ImportedMask::verdicts(Index q, Index kv, std::vector<Verdict>& out) const {
  out = {visible(q, kv) ? Verdict::yes : Verdict::no};
}

void ImportedMask::row(Index q, std::vector<Range>& out) const {
  out.clear();
  for (const KeyInterval& each : intervals_of(q)) out.push_back({each.begin, each.end});
}

bool ImportedMask::has_bands() const {
  constexpr std::uint64_t few = 4096;
  constexpr std::uint64_t many = 64;  // rows for each
  return m_runs.size() <= few && m_runs.size() <= static_cast<std::uint64_t>(m_extent.rows) / many;
}

std::span<const Band> ImportedMask::bands(Range rows, std::vector<Band>& scratch) const {
  scratch.clear();
  if (rows.size() <= 0) return scratch;
  const std::size_t last = m_runs.run_of(rows.end - 1);
  for (std::size_t run = m_runs.run_of(rows.begin); run <= last; ++run) {
    const Range equal = m_runs.rows_of(run);
    const auto intervals = m_runs.intervals_of(run);
    if (intervals.empty()) scratch.push_back(Band::whole(equal, {}));
    for (const KeyInterval& each : intervals) scratch.push_back(Band::whole(equal, {each.begin, each.end}));
  }
  return scratch;
}

std::span<const Band> ImportedMask::term_bands(std::size_t, Range rows, std::vector<Band>& scratch) const {
  return bands(rows, scratch);
}

}  // namespace vqscope
