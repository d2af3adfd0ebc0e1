// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition.h"

#include "core/mask/language/evaluate/lane_plan.h"
#include "core/mask/language/solve/condition_solver.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

/// Whether lanes are processed one by one: of a division or a look into an array, not of most
/// operations.
bool is_expensive(Op op) {
  switch (op) {
    case Op::element:
    case Op::floor_divide:
    case Op::modulo:
    case Op::power:
    case Op::shift_left:
    case Op::shift_right: return true;
    default: return op == failure_of(Op::multiply) || op == failure_of(Op::power);
  }
}

/// Nanoseconds per key; what depends only on the query is evaluated once per row.
Index key_steps(const BoundProgram& program, std::span<const NodeId> needed) {
  Index eighths = 0;
  for (const NodeId id : needed)
    if (program.at(id).by_kv) eighths += is_expensive(program.at(id).op) ? 32 : 1;
  return 1 + eighths / 8;
}

/// Nanoseconds of a cell by itself.
Index cell_steps(const BoundProgram& program, std::span<const NodeId> needed) {
  Index steps = 4;
  for (const NodeId id : needed) steps += is_expensive(program.at(id).op) ? 8 : 2;
  return steps;
}

}  // namespace

std::optional<CellSet> RegionSolver::solve(NodeId root, const CellSet& within, const SolverBudget& budget, Index* steps,
                                           SolvedCondition* first) const {
  ConditionSolver solver(m_program, m_pieces, within, budget);
  if (first) solver.keep_first(root, *first);
  CellSet solved = solver.solve(root, within);
  if (steps) *steps = budget.steps - solver.left();
  return solver.failed() ? std::nullopt : std::optional(std::move(solved));
}

Condition::Condition(const BoundProgram& program, const RegionSolver& solver, NodeId root)
    : m_program(program), m_solver(solver), m_root(root) {
  std::vector<bool> below(static_cast<std::size_t>(root) + 1);
  below.back() = true;
  for (NodeId id = root; id >= 0; --id) {
    if (!below[static_cast<std::size_t>(id)]) continue;
    m_needed.push_back(id);
    for (const NodeId operand : {program.at(id).a, program.at(id).b, program.at(id).c})
      if (operand != no_node) below[static_cast<std::size_t>(operand)] = true;
  }
  std::ranges::reverse(m_needed);
  m_key_steps = key_steps(program, m_needed);
  m_cell_steps = cell_steps(program, m_needed);
}

bool Condition::at(Index q, Index kv) const {
  // Most programs are small, and this is called for millions of cells.
  std::array<Index, 128> few;
  std::vector<Index> many;
  const auto count = static_cast<std::size_t>(m_root) + 1;
  if (count > few.size()) many.resize(count);
  Index* values = count > few.size() ? many.data() : few.data();
  const auto operand = [&](NodeId id) { return id == no_node ? Index{0} : values[id]; };
  Index value = 0;
  for (const NodeId id : m_needed) {
    const BoundNode& node = m_program.at(id);
    switch (node.op) {
      case Op::constant: value = node.value; break;
      case Op::q: value = q; break;
      case Op::kv: value = kv; break;
      case Op::element: {
        const BoundArray& array = *m_program.arrays[static_cast<std::size_t>(node.value)];
        const Index index = values[node.a];
        value = index >= 0 && index < array.size() ? array.at(index) : 0;
        break;
      }
      default: value = evaluate(node.op, operand(node.a), operand(node.b), operand(node.c));
    }
    values[id] = value;
  }
  return value != 0;
}

const LaneEvaluator& Condition::lanes() const {
  std::call_once(m_once, [&] { m_lanes = std::make_unique<LaneEvaluator>(m_program, m_root); });
  return *m_lanes;
}

bool Condition::solve_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const {
  // More steps than this take longer than evaluating every key, or delay a stop.
  constexpr Index most_steps = Index{1} << 22;
  Index steps = 0;
  const SolverBudget allowed{std::clamp<Index>(cols.size() / 16, 64, most_steps), budget.stop};
  const auto region = m_solver.solve(m_root, CellSet::whole({q, q + 1}, cols), allowed, &steps);
  budget.spend(solver_step * steps);
  if (!region) return false;
  row_of(*region, q, out);
  return true;
}

bool Condition::look_at_row(Index q, Range cols, std::size_t most, CountBudget& budget, std::vector<Range>& out) const {
  // About a millisecond each.
  const Index step = std::clamp<Index>((Index{1} << 20) / m_key_steps, Index{lane_count}, 1 << 16);
  for (Index begin = cols.begin; begin < cols.end; begin += step) {
    const Range some{begin, std::min(cols.end, begin + step)};
    if (!budget.spend(lane_row + some.size() * m_key_steps)) return false;
    const std::size_t before = out.size();
    lanes().intervals(q, some, out);
    budget.spend(lane_interval * static_cast<Index>(out.size() - before));
    if (out.size() <= most) continue;
    budget.give_up();
    return false;
  }
  return true;
}

bool Condition::row(Index q, Range cols, std::size_t most, CountBudget& budget, std::vector<Range>& out) const {
  out.clear();
  if (budget.is_over()) return false;
  if (m_solvable && solve_row(q, cols, budget, out)) return !budget.stop.stop_requested();
  if (budget.is_over()) return false;
  m_solvable = false;
  return look_at_row(q, cols, most, budget, out);
}

}  // namespace vqscope::language
