// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/node_sums.h"
#include "core/mask/language/solve/sum_restriction.h"

#include <optional>
#include <vector>

namespace vqscope::language {

class ConditionSolver;

/// The value of an integer in a part of the cells.
struct Case {
  CellSet region;
  Sum sum;
};

/// Integers of query and key, one sum for each part of the cells.
class CaseSolver {
 public:
  /// `conditions` decide between the branches of an integer.
  CaseSolver(const BoundProgram& program, NodeSums& sums, SumRestriction& restriction, RegionWork& work,
             ConditionSolver& conditions)
      : m_program(program), m_sums(sums), m_restriction(restriction), m_work(work), m_conditions(conditions) {}

  /// The cases of a node, which together cover `within`. Empty after a failure.
  std::vector<Case> cases(NodeId id, const CellSet& within, int depth);

  /// Size of all regions of cases so far; reset it to forget a failed attempt.
  std::size_t intervals() const { return m_intervals; }
  void forget_intervals(std::size_t before) { m_intervals = before; }

 private:
  /// Maximum number of quotients or array pieces into which an integer of both query and key is
  /// split.
  static constexpr Index most_cases = 256;
  static constexpr std::size_t most_intervals = 2 * most_bands;

  /// Maximum number of values of an integer with few values.
  static constexpr Index most_values = 16;

  void append(std::vector<Case>& all, std::vector<Case> more);
  void append_constant(std::vector<Case>& all, CellSet region, Index value);
  /// An integer with few values: one case per value, entirely in the query's part, without an
  /// offset of the key's part.
  std::vector<Case> values_of(NodeId id, const CellSet& within, int depth);
  void join_constant(std::vector<Case>& all, CellSet region, Index value);

  /// A product, or an operation on bits, of such integers, mostly 0 and 1.
  std::vector<Case> few_values(const BoundNode& node, const CellSet& within, int depth);
  std::vector<Case> scaled(std::vector<Case> all, Index factor);
  std::vector<Case> sums(const BoundNode& node, Index sign, const CellSet& within, int depth);
  std::vector<Case> absolutes(const BoundNode& node, const CellSet& within, int depth);
  std::vector<Case> extremes(const BoundNode& node, const CellSet& within, int depth);

  // Integers that are split: quotient_solver.cpp.

  /// Bounds of the sum within a region: evaluates strips, and whole parts if they have several
  /// pieces.
  Bounds range_of(const Sum& sum, const CellSet& region);

  /// x // d and x % d by a constant, one case for each quotient.
  std::vector<Case> quotients(const BoundNode& node, const CellSet& within, int depth);

  /// The case of x // d == k or, of a remainder, x % d where x // d == k.
  bool append_quotient(std::vector<Case>& all, const BoundNode& node, const Sum& sum, CellSet here, Index k);

  /// array[x], one case for each piece of the array that x can reach.
  std::vector<Case> elements(const BoundNode& node, const CellSet& within, int depth);

  /// The case of array[x] where x is in one piece.
  bool append_piece(std::vector<Case>& all, const ArrayPiece& piece, const Sum& index, CellSet here);

  const BoundProgram& m_program;
  NodeSums& m_sums;
  SumRestriction& m_restriction;
  RegionWork& m_work;
  ConditionSolver& m_conditions;
  std::size_t m_intervals = 0;
};

/// The conditions of a program over one region, once.
class ConditionSolver {
 public:
  ConditionSolver(const BoundProgram& program, const std::vector<PiecesPtr>& pieces, const CellSet& within,
                  const SolverBudget& budget);
  ConditionSolver(const ConditionSolver&) = delete;
  ConditionSolver& operator=(const ConditionSolver&) = delete;

  bool failed() const { return m_work.failed(); }

  /// Rest of the budget; below 0 if it is spent.
  Index left() const { return m_work.left(); }

  /// Stores the condition of the `and` at `root` that is solved first in `into`, which outlives the
  /// solver.
  void keep_first(NodeId root, SolvedCondition& into) {
    m_kept_root = root;
    m_kept = &into;
  }

  /// The part of `within` where a truth value holds. Empty after a failure.
  CellSet solve(NodeId id, const CellSet& within, int depth = 0);

 private:
  // Truth values: condition_solver.cpp.

  /// Order in which to solve conditions: those that narrow the cells cheaply come first.
  int rank(NodeId id) const;
  bool is_split(NodeId id) const;
  CellSet conjunction(NodeId id, const CellSet& within, int depth);
  std::vector<NodeId> conditions_of(NodeId id);

  /// Solves the conditions of `open` that take few steps within `left`, which they narrow, and
  /// removes them. `kept`: the first condition of all.
  void solve_cheap(std::vector<NodeId>& open, CellSet& left, Index steps, int depth, SolvedCondition*& kept);

  /// A condition on the query alone or on the key alone.
  CellSet alone(NodeId id, const CellSet& within, int depth);

  /// For a condition with too many pieces to keep, whose parts may have fewer.
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
