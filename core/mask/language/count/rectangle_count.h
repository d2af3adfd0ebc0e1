// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/mask/language/evaluate/interval_evaluator.h"
#include "core/mask/language/solve/condition.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vqscope::language {

/// Counts the cells of rectangles for which a condition holds where the whole matrix is too much for the solver: what
/// interval arithmetic settles costs one look, what the solver can do of a smaller rectangle or row by row costs its
/// steps, the rest is halved down to cells.
class RectangleCount {
 public:
  RectangleCount(const BoundProgram& program, const RegionSolver& solver, const Condition& condition,
                 CountBudget& budget);

  /// Nothing once the budget is spent.
  std::optional<std::uint64_t> count(const Rect& cells);

 private:
  /// Nothing: it is counted better in halves.
  std::optional<std::uint64_t> count_undivided(const Rect& cells);
  std::optional<std::uint64_t> by_region(const Rect& cells);

  /// Where a row can be solved for less than looking at its cells takes: within one row more is linear.
  std::optional<std::uint64_t> by_rows(const Rect& cells);
  std::uint64_t by_lanes(const Rect& cells);

  /// The lanes of a row that may be long.
  std::uint64_t by_pieces(const Rect& row);
  std::optional<std::uint64_t> solved(const Rect& cells, Index most_steps);

  const RegionSolver& m_solver;
  const Condition& m_condition;
  CountBudget& m_budget;
  IntervalEvaluator m_intervals;
  std::vector<std::uint8_t> m_lanes;
  Index m_steps = 0;           ///< that the solver took last
  bool m_interrupted = false;  ///< within a rectangle that was not halved
};

}  // namespace vqscope::language
