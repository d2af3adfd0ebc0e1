// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/mask/language/evaluate/lane_evaluator.h"
#include "core/mask/language/solve/piecewise.h"
#include "core/mask/language/solve/region_work.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace vqscope::language {

/// Finds where truth values of a program hold, without visiting cells: comparisons of f(query) +
/// g(key) with both in linear pieces, equality by joining the pieces on their values, and, or, not,
/// if. Slopes in the query must match those in the key; within one row everything linear can be
/// solved. Immutable.
class RegionSolver {
 public:
  /// After a stop solve() finds nothing.
  explicit RegionSolver(const BoundProgram& program, const std::stop_token& stop = {})
      : m_program(program), m_pieces(all_pieces(program, stop)) {}

  /// The part of `within` where `root` holds; empty if it is not known or takes more than the
  /// budget. `steps` is the number of steps taken in any case. `first`: the condition of an `and`
  /// that was solved before the others narrowed it.
  std::optional<CellSet> solve(NodeId root, const CellSet& within, const SolverBudget& budget, Index* steps = nullptr,
                               SolvedCondition* first = nullptr) const;

 private:
  const BoundProgram& m_program;
  std::vector<PiecesPtr> m_pieces;
};

/// Approximate nanoseconds per step of the solver, and per row of lanes.
inline constexpr Index solver_step = 5;
inline constexpr Index lane_row = 256;
/// Approximate nanoseconds per interval of a row.
inline constexpr Index lane_interval = 8;

/// A truth value of a bound program as a matrix: rows as intervals, by the solver if possible, else
/// by lanes.
class Condition {
 public:
  Condition(const BoundProgram& program, const RegionSolver& solver, NodeId root);

  NodeId root() const { return m_root; }

  bool at(Index q, Index kv) const;

  /// The columns of row q within `cols`: sorted, disjoint, not touching. False once the budget is
  /// spent; gives up if there are more than `most`.
  bool row(Index q, Range cols, std::size_t most, CountBudget& budget, std::vector<Range>& out) const;

  const LaneEvaluator& lanes() const;

  /// Cost of evaluating one key.
  Index steps_of_key() const { return m_key_steps; }

  /// Cost of at().
  Index steps_of_cell() const { return m_cell_steps; }

 private:
  bool solve_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const;
  bool look_at_row(Index q, Range cols, std::size_t most, CountBudget& budget, std::vector<Range>& out) const;

  const BoundProgram& m_program;
  const RegionSolver& m_solver;
  NodeId m_root;
  std::vector<NodeId> m_needed;  ///< the root and all nodes it uses, operands first
  Index m_key_steps;
  Index m_cell_steps;
  mutable std::atomic<bool> m_solvable = true;
  mutable std::once_flag m_once;
  mutable std::unique_ptr<LaneEvaluator> m_lanes;
};

}  // namespace vqscope::language
