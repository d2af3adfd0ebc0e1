// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {

CellSet ConditionSolver::comparison(const BoundNode& node, const CellSet& within, int depth) {
  if (auto made = divided(node, within, depth)) return std::move(*made);
  const Relation relation = node.op == BoundOp::equal ? Relation::equal : Relation::at_most;
  const Index limit = node.op == BoundOp::less ? -1 : 0;
  if (const auto left = plain_sum(node.a, depth)) {
    if (const auto right = plain_sum(node.b, depth))
      if (const auto difference = difference_of(*left, *right)) return restricted(*difference, relation, limit, within);
  }
  CellSet all;
  for (const Case& a : cases(node.a, within, depth + 1)) {
    for (const Case& b : cases(node.b, a.region, depth + 1)) {
      const auto difference = difference_of(a.sum, b.sum);
      if (m_failed || !difference) return fail();
      const CellSet part = restricted(*difference, relation, limit, b.region);
      all = joined(all, part, Combine::either);
    }
  }
  return all;
}

std::optional<CellSet> ConditionSolver::divided(const BoundNode& node, const CellSet& within, int depth) {
  const bool left = m_program.at(node.a).op == BoundOp::floor_divide;
  const BoundNode& quotient = m_program.at(left ? node.a : node.b);
  const BoundNode& other = m_program.at(left ? node.b : node.a);
  if (quotient.op != BoundOp::floor_divide || !quotient.by_q || !quotient.by_kv || other.op != BoundOp::constant)
    return std::nullopt;
  const BoundNode& divisor = m_program.at(quotient.b);
  if (divisor.op != BoundOp::constant || divisor.value <= 0) return std::nullopt;
  // The largest quotient that counts as small: everything up to it is x <= quotient * d + d - 1.
  const bool strict = node.op == BoundOp::less;
  const auto upper =
      node.op == BoundOp::equal ? subtract(other.value, 0) : subtract(other.value, (left == strict) ? 1 : 0);
  const auto border = [&](Index q) {
    const auto base = multiply(q, divisor.value);
    return base ? vqscope::language::add(*base, divisor.value - 1) : std::nullopt;
  };
  if (!upper || !border(*upper) || !is_moderate({*border(*upper), *border(*upper)})) return std::nullopt;
  CellSet all;
  for (const Case& a : cases(quotient.a, within, depth + 1)) {
    if (m_failed) return CellSet{};
    CellSet small = restricted(a.sum, Relation::at_most, *border(*upper), a.region);
    if (node.op == BoundOp::equal) {
      const CellSet smaller = restricted(a.sum, Relation::at_most, *border(*upper) - divisor.value, small);
      small = joined(small, smaller, Combine::first_only);
    } else if (!left) {
      small = joined(a.region, small, Combine::first_only);
    }
    all = joined(all, small, Combine::either);
  }
  return all;
}

std::optional<Part> ConditionSolver::part_of(NodeId id) const {
  const BoundNode& node = m_program.at(id);
  if (node.op == BoundOp::constant) {
    if (!is_moderate(node.bounds)) return std::nullopt;
    return Part{nullptr, 1, node.value, node.bounds};
  }
  const PiecesPtr& pieces = m_pieces[static_cast<std::size_t>(id)];
  if (!pieces) return std::nullopt;
  if (node.by_q && m_row) {
    const Index value = (*pieces)[piece_at(*pieces, *m_row)].at(*m_row);
    return constant_part(value);
  }
  return Part{pieces, 1, 0, node.bounds};
}

std::optional<Sum> ConditionSolver::plain_sum(NodeId id, int depth) {
  const BoundNode& node = m_program.at(id);
  if (depth > deepest || !spend(0)) return std::nullopt;
  if (!node.by_q || !node.by_kv) {
    const auto part = part_of(id);
    if (!part) return std::nullopt;
    return node.by_kv ? Sum{{}, *part} : Sum{*part, {}};
  }
  const bool is_sum = node.op == BoundOp::add || node.op == BoundOp::subtract;
  if (!node.exact || (!is_sum && node.op != BoundOp::negate)) return std::nullopt;
  auto a = plain_sum(node.a, depth + 1);
  if (!a) return std::nullopt;
  if (!is_sum) return scale(*a, -1) ? a : std::nullopt;
  auto b = plain_sum(node.b, depth + 1);
  if (!b) return std::nullopt;
  if (node.op == BoundOp::subtract && !scale(*b, -1)) return std::nullopt;
  return add(*b, *a) ? b : std::nullopt;
}

bool ConditionSolver::add(Sum& sum, const Sum& other) { return add_part(sum.f, other.f) && add_part(sum.g, other.g); }

std::optional<Sum> ConditionSolver::difference_of(const Sum& a, Sum b) {
  if (!scale(b, -1) || !add(b, a)) return std::nullopt;
  return b;
}

bool ConditionSolver::add_part(Part& sum, const Part& other) {
  if (other.is_constant()) return shift(sum, other.offset);
  if (sum.is_constant()) {
    const Index offset = sum.offset;
    sum = other;
    return shift(sum, offset);
  }
  return spend(static_cast<Index>(sum.pieces->size() + other.pieces->size())) && add_pieces(sum, other);
}

}  // namespace vqscope::language
