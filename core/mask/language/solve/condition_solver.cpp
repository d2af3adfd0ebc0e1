// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

#include <algorithm>
#include <utility>

namespace vqscope::language {
namespace {

std::optional<Index> only_row(const CellSet& within) {
  const Bands bands = within.bands();
  const bool is_one = !bands.empty() && bands.front().rows.begin == bands.back().rows.end - 1;
  return is_one ? std::optional(bands.front().rows.begin) : std::nullopt;
}

}  // namespace

ConditionSolver::ConditionSolver(const BoundProgram& program, const std::vector<PiecesPtr>& pieces,
                                 const CellSet& within, const SolverBudget& budget)
    : m_program(program),
      m_work(budget),
      m_restriction(m_work),
      m_sums(program, pieces, only_row(within), m_work),
      m_cases(program, m_sums, m_restriction, m_work, *this) {}

CellSet ConditionSolver::solve(NodeId id, const CellSet& within, int depth) {
  if (within.is_empty() || !m_work.spend(static_cast<Index>(within.size())) || depth > deepest_node) {
    if (depth > deepest_node) m_work.fail();
    return {};
  }
  const BoundNode& node = m_program.at(id);
  if (node.op == Op::constant) return node.value != 0 ? within : CellSet{};
  if (!node.by_kv || !node.by_q) return alone(id, within, depth);
  switch (node.op) {
    case Op::logical_and: return conjunction(id, within, depth);
    case Op::logical_or:
      return m_work.joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::either);
    case Op::logical_xor:
      return m_work.joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::one_of);
    case Op::logical_not: return m_work.joined(within, solve(node.a, within, depth + 1), Combine::first_only);
    case Op::select: {
      const CellSet chosen = solve(node.a, within, depth + 1);
      const CellSet other = m_work.joined(within, chosen, Combine::first_only);
      return m_work.joined(solve(node.b, chosen, depth + 1), solve(node.c, other, depth + 1), Combine::either);
    }
    case Op::less:
    case Op::less_equal:
    case Op::equal: return comparison(node, within, depth);
    default: return m_work.fail();
  }
}

int ConditionSolver::rank(NodeId id) const {
  const BoundNode& node = m_program.at(id);
  if (!node.by_kv) return 0;
  if (!node.by_q) return 3;
  if (node.op != Op::less && node.op != Op::less_equal && node.op != Op::equal) return 4;
  if (is_split(node.a) || is_split(node.b)) return 5;
  return node.op == Op::equal ? 1 : 2;
}

bool ConditionSolver::is_split(NodeId id) const {
  const BoundNode& node = m_program.at(id);
  if (!node.by_q || !node.by_kv) return false;
  return node.op == Op::modulo || node.op == Op::floor_divide || node.op == Op::element;
}

CellSet ConditionSolver::conjunction(NodeId id, const CellSet& within, int depth) {
  std::vector<NodeId> conditions = conditions_of(id);
  std::ranges::stable_sort(conditions, {}, [&](NodeId c) { return rank(c); });
  CellSet left = within;
  SolvedCondition* kept = id == m_kept_root ? m_kept : nullptr;
  for (const Index steps : {Index{1} << 16, Index{1} << 20}) solve_cheap(conditions, left, steps, depth, kept);
  for (const NodeId condition : conditions) left = solve(condition, left, depth + 1);
  return left;
}

std::vector<NodeId> ConditionSolver::conditions_of(NodeId id) {
  std::vector<NodeId> open{id};
  std::vector<NodeId> conditions;
  while (!open.empty() && m_work.spend(0)) {
    const BoundNode& node = m_program.at(open.back());
    if (node.op == Op::logical_and) {
      open.back() = node.b;
      open.push_back(node.a);
    } else {
      conditions.push_back(open.back());
      open.pop_back();
    }
  }
  return conditions;
}

/// A condition that is expensive everywhere may be cheap where the others hold: columns of an image
/// within some of its rows.
void ConditionSolver::solve_cheap(std::vector<NodeId>& open, CellSet& left, Index steps, int depth,
                                  SolvedCondition*& kept) {
  const auto is_solved = [&](NodeId condition) {
    const std::size_t intervals = m_cases.intervals();
    auto made = m_work.attempt(steps, [&] { return solve(condition, left, depth + 1); });
    if (made)
      left = std::move(*made);
    else
      m_cases.forget_intervals(intervals);
    return made.has_value();
  };
  for (bool narrowed = true; narrowed && open.size() > 1 && m_work.left() > steps && !m_work.failed();) {
    const auto solved = std::ranges::find_if(open, is_solved);
    narrowed = solved != open.end();
    if (!narrowed) continue;
    if (kept) *std::exchange(kept, nullptr) = {*solved, left};
    open.erase(solved);
  }
}

CellSet ConditionSolver::alone(NodeId id, const CellSet& within, int depth) {
  const auto part = m_sums.part_of(id);
  if (!part) return compound_alone(id, within, depth);
  Part negated = *part;
  if (!scale(negated, -1) || !shift(negated, 1)) return m_work.fail();
  const bool by_q = m_program.at(id).by_q;
  return m_restriction.restricted(by_q ? Sum{negated, {}} : Sum{{}, negated}, Relation::at_most, 0, within);
}

CellSet ConditionSolver::compound_alone(NodeId id, const CellSet& within, int depth) {
  const BoundNode& node = m_program.at(id);
  switch (node.op) {
    case Op::logical_and: return solve(node.b, solve(node.a, within, depth + 1), depth + 1);
    case Op::logical_or:
      return m_work.joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::either);
    case Op::logical_not: return m_work.joined(within, solve(node.a, within, depth + 1), Combine::first_only);
    default: return m_work.fail();
  }
}

}  // namespace vqscope::language
