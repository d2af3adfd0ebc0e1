// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/mask.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace vqscope {

/// Half-open, as narrow as the longest sequence allows.
struct KeyInterval {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const KeyInterval&, const KeyInterval&) = default;
};

/// The visible intervals of each row of a mask. Equal rows that follow each other are kept once: a
/// file of padding alone takes the memory of one row.
class ImportedRuns {
 public:
  ImportedRuns() = default;
  /// One after the other.
  ImportedRuns(std::initializer_list<std::initializer_list<KeyInterval>> rows);

  /// The next rows, all equal: sorted, disjoint, not touching. At most 2^31 rows and 2^32 - 1
  /// intervals in all.
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

/// A mask that was read from a file: the visible intervals of each row. One term, `file`.
class ImportedMask : public Mask {
 public:
  /// `runs` of extent.rows rows.
  ImportedMask(Extent extent, ImportedRuns runs, std::vector<double> numbers = {});

  std::span<const double> numbers() const override { return m_numbers; }
  const ImportedRuns& runs() const { return m_runs; }
  /// The same with the visible cells masked and the masked ones visible.
  std::shared_ptr<const ImportedMask> inverted() const;
  /// Same shape, same visible cells, same numbers.
  friend bool operator==(const ImportedMask& a, const ImportedMask& b) {
    return a.m_extent == b.m_extent && a.m_runs == b.m_runs && a.m_numbers == b.m_numbers;
  }

  Extent extent() const override { return m_extent; }
  std::vector<std::string> terms() const override { return {"file"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override;
  std::string why(Index q, Index kv) const override;
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override;
  std::vector<std::pair<std::string, std::string>> facts(Index, Index) const override { return {}; }
  void row(Index q, std::vector<Range>& out) const override;
  /// Whether the runs are few compared with the rows.
  bool has_bands() const override;
  /// One for each interval of each run.
  std::span<const Band> bands(Range rows, std::vector<Band>& scratch) const override;
  std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const override;

 private:
  std::span<const KeyInterval> intervals_of(Index q) const { return m_runs.intervals_of(m_runs.run_of(q)); }

  Extent m_extent;
  ImportedRuns m_runs;
  std::vector<double> m_numbers;
};

}  // namespace vqscope
