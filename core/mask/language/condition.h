// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/lane_evaluator.h"
#include "core/mask/language/region_solver.h"

#include <atomic>
#include <mutex>

namespace vqscope::language {

/// A truth value of a bound program as a matrix: rows as intervals, by the solver where it can, else lane by lane.
class Condition {
 public:
  Condition(const BoundProgram& program, const RegionSolver& solver, NodeId root);

  NodeId root() const { return m_root; }

  bool at(Index q, Index kv) const;

  /// Columns of row q: sorted, disjoint, not touching.
  void row(Index q, std::vector<Range>& out) const;

  /// One band for each interval of each row, an empty one for a row without any.
  void rows(Range rows, std::vector<Band>& out) const;

  const LaneEvaluator& lanes() const;

 private:
  bool solve_row(Index q, std::vector<Range>& out) const;

  const BoundProgram& m_program;
  const RegionSolver& m_solver;
  NodeId m_root;
  std::vector<NodeId> m_needed;  ///< the root and what it is made of, operands first
  mutable std::atomic<bool> m_solvable = true;
  mutable std::once_flag m_once;
  mutable std::unique_ptr<LaneEvaluator> m_lanes;
};

/// The columns that some row of bands sees: sorted, disjoint, not touching.
void row_of_bands(std::span<const Band> bands, Index q, std::vector<Range>& out);

}  // namespace vqscope::language
