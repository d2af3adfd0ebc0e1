// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/piecewise.h"
#include "core/mask/language/solve/region_work.h"

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

}  // namespace vqscope::language
