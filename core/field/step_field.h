// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"

#include <span>
#include <vector>

namespace vqscope {

/// A function of relative_position that is constant on segments: value[s] from start[s] up to
/// start[s+1]. start[0] stands for everything before start[1]. Values are 0 or more.
struct StepFunction {
  std::vector<Index> start;
  std::vector<std::int32_t> value;
  std::size_t step_of(Index relative_position) const;
};

/// [q_length, kv_length], cell (q, kv) = f(kv - (past_len + q)) for a step function f.
///
/// A tile's sum needs four values of f's second prefix sum, which is a quadratic on each step; its
/// extremes need the steps between its first and last diagonal. Both are exact, and no table grows
/// with T.
class StepField : public Field {
 public:
  StepField(Extent extent, Index past_len, StepFunction function);

  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override;
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override;
  bool count_labels(const Rect& block, LabelCounts& out) const override;

  Index relative_position(Index row, Index col) const { return col - (m_past_len + row); }

 private:
  struct Extremes {
    std::int32_t min, max;
  };
  struct RowScratch;
  template <class Sum>
  struct PrefixSums;

  /// The values of relative positions first, first + 1, ...
  template <class Cell>
  void fill_diagonals(Index first, std::span<Cell> out) const;
  /// Extremes of the values of steps first .. last.
  Extremes extremes(std::size_t first, std::size_t last) const;
  template <class Sum>
  void mean_row(const PrefixSums<Sum>& prefix, const TileGrid& grid, Index i, RowScratch& scratch, Summary& out) const;
  void extremes_row(const TileGrid& grid, Index i, RowScratch& scratch, Summary& out) const;
  template <class Sum>
  void summarize_rows(const TileGrid& grid, const SummaryOptions& options, Summary& out) const;
  /// Calls run(first, last, step) for the segments of `args` + shift that lie in one step; args
  /// ascend.
  template <class Run>
  void for_each_step(std::span<const Index> args, Index shift, const Run& run) const;

  Extent m_extent;
  Index m_past_len;
  StepFunction m_f;
  /// Level k holds the extremes of 2^k steps from each step on.
  std::vector<std::vector<Extremes>> m_levels;
};

}  // namespace vqscope
