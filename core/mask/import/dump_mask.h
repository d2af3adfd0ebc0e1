// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <memory>

namespace vqscope {

/// A mask that was read from a file: the visible intervals of each row. One term, `dump`.
class DumpMask : public Mask {
 public:
  /// Half-open, as narrow as the longest sequence allows.
  struct Interval {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  /// Row q holds intervals [row_ends[q - 1], row_ends[q]), sorted, disjoint, not touching.
  DumpMask(Extent extent, std::vector<Interval> intervals, std::vector<std::size_t> row_ends,
           std::vector<double> numbers = {});

  std::span<const double> numbers() const override { return m_numbers; }
  /// How many intervals all rows have.
  std::size_t interval_count() const { return m_intervals.size(); }
  /// The same with the visible cells masked and the masked ones visible.
  std::shared_ptr<const DumpMask> inverted() const;
  /// Same shape, same visible cells, same numbers.
  friend bool operator==(const DumpMask& a, const DumpMask& b) {
    return a.m_extent == b.m_extent && a.m_row_ends == b.m_row_ends && a.m_intervals == b.m_intervals &&
           a.m_numbers == b.m_numbers;
  }

  Extent extent() const override { return m_extent; }
  std::vector<std::string> terms() const override { return {"dump"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override;
  std::string why(Index q, Index kv) const override;
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override;
  std::vector<std::pair<std::string, std::string>> facts(Index, Index) const override { return {}; }
  void row(Index q, std::vector<Range>& out) const override;
  std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const override;

 private:
  std::span<const Interval> intervals_of(Index q) const;

  Extent m_extent;
  std::vector<Interval> m_intervals;
  std::vector<std::size_t> m_row_ends;
  std::vector<double> m_numbers;
};

}  // namespace vqscope
