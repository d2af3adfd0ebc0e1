// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/region_solver.h"

#include "core/mask/language/solve/condition_solver.h"

namespace vqscope::language {

std::optional<CellSet> RegionSolver::solve(NodeId root, const CellSet& within, const SolverBudget& budget, Index* steps,
                                           SolvedCondition* first) const {
  ConditionSolver solver(m_program, m_pieces, within, budget);
  if (first) solver.keep_first(root, *first);
  CellSet solved = solver.solve(root, within);
  if (steps) *steps = budget.steps - solver.left();
  return solver.failed() ? std::nullopt : std::optional(std::move(solved));
}

}  // namespace vqscope::language
