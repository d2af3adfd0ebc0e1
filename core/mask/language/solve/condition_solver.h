// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/case_solver.h"
#include "core/mask/language/solve/region_solver.h"

#include <optional>
#include <vector>

namespace vqscope::language {

/// The conditions of a program over one region, once.
class ConditionSolver {
 public:
  ConditionSolver(const BoundProgram& program, const std::vector<PiecesPtr>& pieces, const CellSet& within,
                  const SolverBudget& budget);
  ConditionSolver(const ConditionSolver&) = delete;
  ConditionSolver& operator=(const ConditionSolver&) = delete;

  bool failed() const { return m_work.failed(); }

  /// Of the budget; below 0 when it is spent.
  Index left() const { return m_work.left(); }

  /// Of the `and` that is `root` the condition that is solved first goes to `into`, which outlives the solver.
  void keep_first(NodeId root, SolvedCondition& into) {
    m_kept_root = root;
    m_kept = &into;
  }

  /// The part of `within` where a truth value holds. Empty after a failure.
  CellSet solve(NodeId id, const CellSet& within, int depth = 0);

 private:
  // Truth values: condition_solver.cpp.

  /// How late a condition is best asked: what narrows the cells cheaply comes first.
  int rank(NodeId id) const;
  bool is_split(NodeId id) const;
  CellSet conjunction(NodeId id, const CellSet& within, int depth);
  std::vector<NodeId> conditions_of(NodeId id);

  /// Solves those of `open` that take few steps within `left`, which they narrow, and takes them out. `kept`: the
  /// first one of all.
  void solve_cheap(std::vector<NodeId>& open, CellSet& left, Index steps, int depth, SolvedCondition*& kept);

  /// A condition on the query alone or on the key alone.
  CellSet alone(NodeId id, const CellSet& within, int depth);

  /// Its pieces are too many to keep, perhaps not those of its parts.
  CellSet compound_alone(NodeId id, const CellSet& within, int depth);

  // Comparisons: comparison_solver.cpp.

  CellSet comparison(const BoundNode& node, const CellSet& within, int depth);

  /// x // d compared with a constant is x compared with a multiple of d.
  std::optional<CellSet> divided(const BoundNode& node, const CellSet& within, int depth);

  const BoundProgram& m_program;
  RegionWork m_work;
  SumRestriction m_restriction;
  NodeSums m_sums;
  CaseSolver m_cases;
  NodeId m_kept_root = no_node;
  SolvedCondition* m_kept = nullptr;
};

}  // namespace vqscope::language
