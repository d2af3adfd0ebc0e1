// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/imported_runs.h"
#include "core/mask/mask.h"

#include <memory>

namespace vqscope {

/// A mask that was read from a file: the visible intervals of each row. One term, `dump`.
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
  std::vector<std::string> terms() const override { return {"dump"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override;
  std::string why(Index q, Index kv) const override;
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override;
  std::vector<std::pair<std::string, std::string>> facts(Index, Index) const override { return {}; }
  void row(Index q, std::vector<Range>& out) const override;
  /// Where few runs stand for many rows.
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
