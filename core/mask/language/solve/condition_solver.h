// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/sum_restriction.h"

#include <optional>
#include <vector>

namespace vqscope::language {

/// What an integer is in a part of the cells.
struct Case {
  CellSet region;
  Sum sum;
};

/// The conditions of a program over one region, once.
class ConditionSolver : public SumRestriction {
 public:
  ConditionSolver(const BoundProgram& program, const std::vector<PiecesPtr>& pieces, const CellSet& within,
                  const SolverBudget& budget);

  /// The part of `within` where a truth value holds. Empty after a failure.
  CellSet solve(NodeId id, const CellSet& within, int depth = 0);

 private:
  /// Quotients and array pieces that an integer of both query and key may be split into.
  static constexpr Index most_cases = 256;
  static constexpr std::size_t most_case_intervals = 2 * most_bands;

  /// Values of an integer that counts as one of few.
  static constexpr Index most_values = 16;

  /// Nodes in nodes; what is deeper is not solved.
  static constexpr int deepest = 400;

  // Truth values: condition_solver.cpp.

  /// How late a condition is best asked: what narrows the cells cheaply comes first.
  int rank(NodeId id) const;
  bool is_split(NodeId id) const;
  CellSet conjunction(NodeId id, const CellSet& within, int depth);

  /// A condition on the query alone or on the key alone.
  CellSet alone(NodeId id, const CellSet& within, int depth);

  /// Its pieces are too many to keep, perhaps not those of its parts.
  CellSet compound_alone(NodeId id, const CellSet& within, int depth);

  // Comparisons: comparison_solver.cpp.

  CellSet comparison(const BoundNode& node, const CellSet& within, int depth);

  /// x // d compared with a constant is x compared with a multiple of d.
  std::optional<CellSet> divided(const BoundNode& node, const CellSet& within, int depth);

  // Integers that are one sum everywhere: comparison_solver.cpp.

  /// The function that a node of the query alone, of the key alone or of neither is.
  std::optional<Part> part_of(NodeId id) const;

  /// A node that is one sum everywhere, without a look at any region.
  std::optional<Sum> plain_sum(NodeId id, int depth);

  /// sum += other; false when that cannot be written as a sum.
  bool add(Sum& sum, const Sum& other);
  bool add_part(Part& sum, const Part& other);
  std::optional<Sum> difference_of(const Sum& a, Sum b);

  // Integers of query and key, one sum for each part of the cells: case_solver.cpp.

  std::vector<Case> cases(NodeId id, const CellSet& within, int depth);
  void append(std::vector<Case>& all, std::vector<Case> more);
  void append_constant(std::vector<Case>& all, CellSet region, Index value);
  /// An integer of few values: one case for each of them, all of the query's part and without an offset of the key's.
  std::vector<Case> values_of(NodeId id, const CellSet& within, int depth);
  void join_constant(std::vector<Case>& all, CellSet region, Index value);

  /// A product, or an operation on bits, of such integers: 0 and 1 above all.
  std::vector<Case> few_values(const BoundNode& node, const CellSet& within, int depth);
  std::vector<Case> scaled(std::vector<Case> all, Index factor);
  std::vector<Case> sums(const BoundNode& node, Index sign, const CellSet& within, int depth);
  std::vector<Case> absolutes(const BoundNode& node, const CellSet& within, int depth);
  std::vector<Case> extremes(const BoundNode& node, const CellSet& within, int depth);

  // Integers that are split: quotient_solver.cpp.

  /// What the sum can be within a region: looks at strips, and at whole parts where they have several pieces.
  Bounds range_of(const Sum& sum, const CellSet& region);

  /// x // d and x % d by a constant, one case for each quotient.
  std::vector<Case> quotients(const BoundNode& node, const CellSet& within, int depth);

  /// The case of x // d == k or, of a remainder, x % d where x // d == k.
  bool append_quotient(std::vector<Case>& all, const BoundNode& node, const Sum& sum, CellSet here, Index k);

  /// array[x], one case for each piece of the array that x can come to.
  std::vector<Case> elements(const BoundNode& node, const CellSet& within, int depth);

  /// The case of array[x] where x is in one piece.
  bool append_piece(std::vector<Case>& all, const ArrayPiece& piece, const Sum& index, CellSet here);

  const BoundProgram& m_program;
  const std::vector<PiecesPtr>& m_pieces;
  std::optional<Index> m_row;        ///< the only one that is asked for
  std::size_t m_case_intervals = 0;  ///< of all regions of cases so far
};

}  // namespace vqscope::language
