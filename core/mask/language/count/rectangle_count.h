// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/mask/language/evaluate/interval_evaluator.h"
#include "core/mask/language/solve/condition.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vqscope::language {

/// Counts the cells of rectangles for which a condition holds when the whole matrix is too much for
/// the solver. A rectangle is settled by interval arithmetic, or by the solver as a whole or row by
/// row, or else it is halved, down to cells.
class RectangleCount {
 public:
  RectangleCount(const BoundProgram& program, const RegionSolver& solver, const Condition& condition,
                 CountBudget& budget);

  /// The count; empty once the budget is spent.
  std::optional<std::uint64_t> count(const Rect& cells);

 private:
  /// The count without halving; empty: halving is better.
  std::optional<std::uint64_t> count_undivided(const Rect& cells);
  std::optional<std::uint64_t> by_region(const Rect& cells);

  /// The count row by row, if solving a row costs less than evaluating its cells: within a row more
  /// is linear.
  std::optional<std::uint64_t> by_rows(const Rect& cells);
  std::uint64_t by_lanes(const Rect& cells);

  /// Counts a row, which may be long, by lanes.
  std::uint64_t by_pieces(const Rect& row);
  std::optional<std::uint64_t> solved(const Rect& cells, Index most_steps);

  const RegionSolver& m_solver;
  const Condition& m_condition;
  CountBudget& m_budget;
  IntervalEvaluator m_intervals;
  std::vector<std::uint8_t> m_lanes;
  Index m_steps = 0;           ///< steps that the solver took last
  bool m_interrupted = false;  ///< within a rectangle that was not halved
};

}  // namespace vqscope::language
