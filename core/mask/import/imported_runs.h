// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace vqscope {

/// Half-open, as narrow as the longest sequence allows.
struct KeyInterval {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const KeyInterval&, const KeyInterval&) = default;
};

/// The visible intervals of each row of a mask. Equal rows that follow each other are kept once: a file of padding
/// alone takes the memory of one row.
class ImportedRuns {
 public:
  ImportedRuns() = default;
  /// One after the other.
  ImportedRuns(std::initializer_list<std::initializer_list<KeyInterval>> rows);

  /// The next rows, all equal: sorted, disjoint, not touching. At most 2^31 rows and 2^32 - 1 intervals in all.
  void append(std::span<const KeyInterval> row, Index rows = 1);

  Index rows() const { return m_runs.empty() ? 0 : Index{m_runs.back().end_row}; }
  /// How many runs there are, and how many intervals they have together: what memory grows with.
  std::uint64_t size() const { return m_runs.size() + m_intervals.size(); }

  std::size_t run_count() const { return m_runs.size(); }
  std::size_t run_of(Index row) const;
  Range rows_of(std::size_t run) const { return {run == 0 ? 0 : Index{m_runs[run - 1].end_row}, m_runs[run].end_row}; }
  std::span<const KeyInterval> intervals_of(std::size_t run) const;

  friend bool operator==(const ImportedRuns&, const ImportedRuns&) = default;

 private:
  struct Run {
    std::uint32_t end_row = 0;
    std::uint32_t end_interval = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  std::vector<Run> m_runs;  ///< neighbours differ
  std::vector<KeyInterval> m_intervals;
};

}  // namespace vqscope
