// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_mask.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

ImportedRuns::ImportedRuns(std::initializer_list<std::initializer_list<KeyInterval>> rows) {
  for (const auto& row : rows) append(std::span(row.begin(), row.size()));
}

void ImportedRuns::append(std::span<const KeyInterval> row, Index rows) {
  assert(rows > 0);
  const auto end_row = static_cast<std::uint32_t>(this->rows() + rows);
  if (!m_runs.empty() && std::ranges::equal(intervals_of(m_runs.size() - 1), row)) {
    m_runs.back().end_row = end_row;
    return;
  }
  m_intervals.insert(m_intervals.end(), row.begin(), row.end());
  m_runs.push_back({end_row, static_cast<std::uint32_t>(m_intervals.size())});
}

std::size_t ImportedRuns::run_of(Index row) const {
  assert(0 <= row && row < rows());
  if (static_cast<Index>(m_runs.size()) == rows()) return static_cast<std::size_t>(row);
  const auto at = std::ranges::partition_point(m_runs, [&](const Run& run) { return Index{run.end_row} <= row; });
  return static_cast<std::size_t>(at - m_runs.begin());
}

std::span<const KeyInterval> ImportedRuns::intervals_of(std::size_t run) const {
  const std::size_t begin = run == 0 ? 0 : m_runs[run - 1].end_interval;
  return std::span(m_intervals).subspan(begin, m_runs[run].end_interval - begin);
}

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
  return visible(q, kv) ? "visible: the file shows this cell" : "masked by file: the file masks this cell";
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
