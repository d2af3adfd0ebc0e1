// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

namespace vqscope::language {

std::vector<Case> CaseSolver::cases(NodeId id, const CellSet& within, int depth) {
  std::vector<Case> made;
  if (within.is_empty() || m_work.failed()) return made;
  if (depth > deepest_node || !m_work.spend(static_cast<Index>(within.size()))) return m_work.fail(), made;
  const BoundNode& node = m_program.at(id);
  if (!node.by_q || !node.by_kv) {
    const auto part = m_sums.part_of(id);
    if (!part) return m_work.fail(), made;
    made.push_back({within, node.by_kv ? Sum{{}, *part} : Sum{*part, {}}});
    return made;
  }
  if (!node.exact) return m_work.fail(), made;
  switch (node.op) {
    case Op::add:
    case Op::subtract: return sums(node, node.op == Op::add ? 1 : -1, within, depth);
    case Op::negate: return scaled(cases(node.a, within, depth + 1), -1);
    case Op::multiply: {
      const bool right = m_program.at(node.b).op == Op::constant;
      if (!right && m_program.at(node.a).op != Op::constant) return few_values(node, within, depth);
      return scaled(cases(right ? node.a : node.b, within, depth + 1), m_program.at(right ? node.b : node.a).value);
    }
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor: return few_values(node, within, depth);
    case Op::absolute: return absolutes(node, within, depth);
    case Op::minimum:
    case Op::maximum: return extremes(node, within, depth);
    case Op::select: {
      const CellSet chosen = m_conditions.solve(node.a, within, depth + 1);
      made = cases(node.b, chosen, depth + 1);
      append(made, cases(node.c, m_work.joined(within, chosen, Combine::first_only), depth + 1));
      return made;
    }
    case Op::to_int: {
      const CellSet holds = m_conditions.solve(node.a, within, depth + 1);
      append_constant(made, holds, 1);
      append_constant(made, m_work.joined(within, holds, Combine::first_only), 0);
      return made;
    }
    case Op::floor_divide:
    case Op::modulo: return quotients(node, within, depth);
    case Op::element: return elements(node, within, depth);
    default: return m_work.fail(), made;
  }
}

void CaseSolver::append(std::vector<Case>& all, std::vector<Case> more) {
  for (Case& c : more) {
    m_intervals += c.region.size();
    all.push_back(std::move(c));
  }
  if (static_cast<Index>(all.size()) > most_cases || m_intervals > most_intervals) m_work.fail();
}

void CaseSolver::append_constant(std::vector<Case>& all, CellSet region, Index value) {
  if (!region.is_empty()) append(all, {{std::move(region), {constant_part(value), {}}}});
}

std::vector<Case> CaseSolver::values_of(NodeId id, const CellSet& within, int depth) {
  std::vector<Case> made;
  for (Case& c : cases(id, within, depth)) {
    const Bounds range = c.sum.is_constant() ? Bounds{} : range_of(c.sum, c.region);
    if (m_work.failed() || range.high - range.low >= most_values) return m_work.fail(), made;
    if (c.sum.is_constant()) {
      join_constant(made, std::move(c.region), c.sum.f.offset + c.sum.g.offset);
      continue;
    }
    for (Index value = range.low; value <= range.high; ++value)
      join_constant(made, m_restriction.restricted(c.sum, Relation::equal, value, c.region), value);
  }
  return made;
}

void CaseSolver::join_constant(std::vector<Case>& all, CellSet region, Index value) {
  for (Case& c : all)
    if (c.sum.f.offset == value) return void(c.region = m_work.joined(c.region, region, Combine::either));
  append_constant(all, std::move(region), value);
}

std::vector<Case> CaseSolver::few_values(const BoundNode& node, const CellSet& within, int depth) {
  std::vector<Case> made;
  for (const Case& a : values_of(node.a, within, depth + 1)) {
    const Index left = a.sum.f.offset;
    if ((node.op == Op::multiply || node.op == Op::bit_and) && left == 0) {
      join_constant(made, a.region, 0);
      continue;
    }
    for (Case& b : values_of(node.b, a.region, depth + 1)) {
      if (m_work.failed()) return made;
      join_constant(made, std::move(b.region), evaluate(node.op, left, b.sum.f.offset, 0));
    }
  }
  return made;
}

std::vector<Case> CaseSolver::scaled(std::vector<Case> all, Index factor) {
  for (Case& c : all)
    if (!scale(c.sum, factor)) m_work.fail();
  return all;
}

std::vector<Case> CaseSolver::sums(const BoundNode& node, Index sign, const CellSet& within, int depth) {
  std::vector<Case> made;
  for (Case& a : cases(node.a, within, depth + 1)) {
    for (Case& b : scaled(cases(node.b, a.region, depth + 1), sign)) {
      if (m_work.failed() || !m_sums.add(b.sum, a.sum)) return m_work.fail(), made;
      append(made, {std::move(b)});
    }
  }
  return made;
}

std::vector<Case> CaseSolver::absolutes(const BoundNode& node, const CellSet& within, int depth) {
  std::vector<Case> made;
  for (Case& a : cases(node.a, within, depth + 1)) {
    CellSet negative = m_restriction.restricted(a.sum, Relation::at_most, -1, a.region);
    CellSet other = m_work.joined(a.region, negative, Combine::first_only);
    Sum inverse = a.sum;
    if (!scale(inverse, -1)) return m_work.fail(), made;
    if (!other.is_empty()) append(made, {{std::move(other), a.sum}});
    if (!negative.is_empty()) append(made, {{std::move(negative), std::move(inverse)}});
  }
  return made;
}

std::vector<Case> CaseSolver::extremes(const BoundNode& node, const CellSet& within, int depth) {
  std::vector<Case> made;
  for (const Case& a : cases(node.a, within, depth + 1)) {
    for (Case& b : cases(node.b, a.region, depth + 1)) {
      auto difference = m_sums.difference_of(a.sum, b.sum);
      if (m_work.failed() || !difference) return m_work.fail(), made;
      // a <= b.
      CellSet a_first = m_restriction.restricted(*difference, Relation::at_most, 0, b.region);
      CellSet b_first = m_work.joined(b.region, a_first, Combine::first_only);
      const bool minimum = node.op == Op::minimum;
      if (!a_first.is_empty()) append(made, {{std::move(a_first), minimum ? a.sum : b.sum}});
      if (!b_first.is_empty()) append(made, {{std::move(b_first), minimum ? b.sum : a.sum}});
    }
  }
  return made;
}

}  // namespace vqscope::language
