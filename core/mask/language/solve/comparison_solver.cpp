// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {

CellSet ConditionSolver::comparison(const BoundNode& node, const CellSet& within, int depth) {
  if (auto made = divided(node, within, depth)) return std::move(*made);
  const Relation relation = node.op == Op::equal ? Relation::equal : Relation::at_most;
  const Index limit = node.op == Op::less ? -1 : 0;
  if (const auto left = m_sums.plain_sum(node.a, depth)) {
    if (const auto right = m_sums.plain_sum(node.b, depth))
      if (const auto difference = m_sums.difference_of(*left, *right))
        return m_restriction.restricted(*difference, relation, limit, within);
  }
  CellSet all;
  for (const Case& a : m_cases.cases(node.a, within, depth + 1)) {
    for (const Case& b : m_cases.cases(node.b, a.region, depth + 1)) {
      const auto difference = m_sums.difference_of(a.sum, b.sum);
      if (m_work.failed() || !difference) return m_work.fail();
      const CellSet part = m_restriction.restricted(*difference, relation, limit, b.region);
      all = m_work.joined(all, part, Combine::either);
    }
  }
  return all;
}

std::optional<CellSet> ConditionSolver::divided(const BoundNode& node, const CellSet& within, int depth) {
  const bool left = m_program.at(node.a).op == Op::floor_divide;
  const BoundNode& quotient = m_program.at(left ? node.a : node.b);
  const BoundNode& other = m_program.at(left ? node.b : node.a);
  if (quotient.op != Op::floor_divide || !quotient.by_q || !quotient.by_kv || other.op != Op::constant)
    return std::nullopt;
  const BoundNode& divisor = m_program.at(quotient.b);
  if (divisor.op != Op::constant || divisor.value <= 0) return std::nullopt;
  // The largest quotient on the low side of the comparison: up to it, x <= quotient * d + d - 1.
  const bool strict = node.op == Op::less;
  const auto upper = node.op == Op::equal ? subtract(other.value, 0) : subtract(other.value, (left == strict) ? 1 : 0);
  const auto border = [&](Index q) {
    const auto base = multiply(q, divisor.value);
    return base ? vqscope::language::add(*base, divisor.value - 1) : std::nullopt;
  };
  if (!upper || !border(*upper) || !is_moderate({*border(*upper), *border(*upper)})) return std::nullopt;
  CellSet all;
  for (const Case& a : m_cases.cases(quotient.a, within, depth + 1)) {
    if (m_work.failed()) return CellSet{};
    CellSet small = m_restriction.restricted(a.sum, Relation::at_most, *border(*upper), a.region);
    if (node.op == Op::equal) {
      const CellSet smaller =
          m_restriction.restricted(a.sum, Relation::at_most, *border(*upper) - divisor.value, small);
      small = m_work.joined(small, smaller, Combine::first_only);
    } else if (!left) {
      small = m_work.joined(a.region, small, Combine::first_only);
    }
    all = m_work.joined(all, small, Combine::either);
  }
  return all;
}

}  // namespace vqscope::language
