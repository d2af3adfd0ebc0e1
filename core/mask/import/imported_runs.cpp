// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_runs.h"

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

}  // namespace vqscope
