// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/mask/language/bind/bound_program.h"
#include "core/mask/language/solve/condition.h"
#include "core/mask/mask.h"

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

  /// Whether the condition holds in all cells, in none or in some of them; counts only until two
  /// cells differ. Empty once the budget is spent.
  std::optional<Coverage> coverage(const Rect& cells);

 private:
  /// Counts into m_seen and m_unseen. False once the budget is spent.
  bool run(const Rect& cells);

  /// Counts without halving. False: halving is better.
  bool add_undivided(const Rect& cells);
  bool add_region(const Rect& cells);

  /// Counts row by row, if solving a row costs less than evaluating its cells: within a row more
  /// is linear.
  bool add_rows(const Rect& cells);
  void add_lanes(const Rect& cells);

  /// Counts a row, which may be long, by lanes.
  void add_pieces(const Rect& row);
  std::optional<std::uint64_t> solved(const Rect& cells, Index most_steps);

  void add(std::uint64_t seen, std::uint64_t area) {
    m_seen += seen;
    m_unseen += area - seen;
  }

  /// Whether nothing else has to be counted.
  bool is_enough() const { return m_until_mixed && m_seen > 0 && m_unseen > 0; }

  const RegionSolver& m_solver;
  const Condition& m_condition;
  CountBudget& m_budget;
  IntervalEvaluator m_intervals;
  std::vector<std::uint8_t> m_lanes;
  std::uint64_t m_seen = 0;    ///< cells for which the condition holds, so far
  std::uint64_t m_unseen = 0;  ///< the others
  bool m_until_mixed = false;
  Index m_steps = 0;           ///< steps that the solver took last
  bool m_interrupted = false;  ///< within a rectangle that was not halved
};

}  // namespace vqscope::language
