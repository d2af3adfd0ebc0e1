// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

#include <algorithm>

namespace vqscope::language {

ConditionSolver::ConditionSolver(const BoundProgram& program, const std::vector<PiecesPtr>& pieces,
                                 const CellSet& within, const SolverBudget& budget)
    : SumRestriction(budget), m_program(program), m_pieces(pieces) {
  const Bands bands = within.bands();
  if (!bands.empty() && bands.front().rows.begin == bands.back().rows.end - 1) m_row = bands.front().rows.begin;
}

CellSet ConditionSolver::solve(NodeId id, const CellSet& within, int depth) {
  if (within.is_empty() || !spend(static_cast<Index>(within.size())) || depth > deepest) {
    m_failed = m_failed || depth > deepest;
    return {};
  }
  const BoundNode& node = m_program.at(id);
  if (node.op == BoundOp::constant) return node.value != 0 ? within : CellSet{};
  if (!node.by_kv || !node.by_q) return alone(id, within, depth);
  switch (node.op) {
    case BoundOp::logical_and: return conjunction(id, within, depth);
    case BoundOp::logical_or:
      return joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::either);
    case BoundOp::logical_xor:
      return joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::one_of);
    case BoundOp::logical_not: return joined(within, solve(node.a, within, depth + 1), Combine::first_only);
    case BoundOp::select: {
      const CellSet chosen = solve(node.a, within, depth + 1);
      const CellSet other = joined(within, chosen, Combine::first_only);
      return joined(solve(node.b, chosen, depth + 1), solve(node.c, other, depth + 1), Combine::either);
    }
    case BoundOp::less:
    case BoundOp::less_equal:
    case BoundOp::equal: return comparison(node, within, depth);
    default: return fail();
  }
}

int ConditionSolver::rank(NodeId id) const {
  const BoundNode& node = m_program.at(id);
  if (!node.by_kv) return 0;
  if (!node.by_q) return 3;
  if (node.op != BoundOp::less && node.op != BoundOp::less_equal && node.op != BoundOp::equal) return 4;
  if (is_split(node.a) || is_split(node.b)) return 5;
  return node.op == BoundOp::equal ? 1 : 2;
}

bool ConditionSolver::is_split(NodeId id) const {
  const BoundNode& node = m_program.at(id);
  if (!node.by_q || !node.by_kv) return false;
  return node.op == BoundOp::modulo || node.op == BoundOp::floor_divide || node.op == BoundOp::element;
}

CellSet ConditionSolver::conjunction(NodeId id, const CellSet& within, int depth) {
  std::vector<NodeId> open{id};
  std::vector<NodeId> conditions;
  while (!open.empty()) {
    const BoundNode& node = m_program.at(open.back());
    if (node.op == BoundOp::logical_and) {
      open.back() = node.b;
      open.push_back(node.a);
    } else {
      conditions.push_back(open.back());
      open.pop_back();
    }
    if (!spend(0)) return {};
  }
  std::ranges::stable_sort(conditions, {}, [&](NodeId c) { return rank(c); });
  CellSet left = within;
  // One that is dear everywhere may be cheap where the others hold: columns of an image within some of its rows.
  for (const Index steps : {Index{1} << 16, Index{1} << 20}) {
    const auto is_solved = [&](NodeId condition) {
      const std::size_t case_intervals = m_case_intervals;
      auto made = attempt(steps, [&] { return solve(condition, left, depth + 1); });
      if (made)
        left = std::move(*made);
      else
        m_case_intervals = case_intervals;
      return made.has_value();
    };
    for (bool narrowed = true; narrowed && conditions.size() > 1 && m_combiner.left > steps && !m_failed;) {
      const auto solved = std::ranges::find_if(conditions, is_solved);
      narrowed = solved != conditions.end();
      if (narrowed) conditions.erase(solved);
    }
  }
  for (const NodeId condition : conditions) left = solve(condition, left, depth + 1);
  return left;
}

CellSet ConditionSolver::alone(NodeId id, const CellSet& within, int depth) {
  const auto part = part_of(id);
  if (!part) return compound_alone(id, within, depth);
  Part negated = *part;
  if (!scale(negated, -1) || !shift(negated, 1)) return fail();
  const bool by_q = m_program.at(id).by_q;
  return restricted(by_q ? Sum{negated, {}} : Sum{{}, negated}, Relation::at_most, 0, within);
}

CellSet ConditionSolver::compound_alone(NodeId id, const CellSet& within, int depth) {
  const BoundNode& node = m_program.at(id);
  switch (node.op) {
    case BoundOp::logical_and: return solve(node.b, solve(node.a, within, depth + 1), depth + 1);
    case BoundOp::logical_or:
      return joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::either);
    case BoundOp::logical_not: return joined(within, solve(node.a, within, depth + 1), Combine::first_only);
    default: return fail();
  }
}

}  // namespace vqscope::language
