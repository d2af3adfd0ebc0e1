// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {

Bounds CaseSolver::range_of(const Sum& sum, const CellSet& region) {
  const bool one_line = sum.f.is_line() && sum.g.is_line();
  if (!one_line) return {sum.f.bounds.low + sum.g.bounds.low, sum.f.bounds.high + sum.g.bounds.high};
  Bounds found{highest, lowest};
  if (!m_work.spend(static_cast<Index>(region.size()))) return {};
  const auto value = [](const Part& part, Index x) {
    return part.is_constant() ? part.offset : part.factor * part.pieces->front().at(x) + part.offset;
  };
  for (const Band& band : region.bands())
    for (const Index q : {band.rows.begin, band.rows.end - 1})
      for (const Index kv : {band.lo.at(q), band.hi.at(q) - 1}) {
        const Index at = value(sum.f, q) + value(sum.g, std::max<Index>(kv, 0));
        found = {std::min(found.low, at), std::max(found.high, at)};
      }
  return found;
}

std::vector<Case> CaseSolver::quotients(const BoundNode& node, const CellSet& within, int depth) {
  std::vector<Case> made;
  const BoundNode& divisor = m_program.at(node.b);
  if (divisor.op != Op::constant || divisor.value <= 0) return m_work.fail(), made;
  const Index d = divisor.value;
  for (const Case& a : cases(node.a, within, depth + 1)) {
    const Bounds range = range_of(a.sum, a.region);
    if (m_work.failed() || range.low > range.high) return m_work.fail(), made;
    const Index first = floor_divide(range.low, d);
    const Index last = floor_divide(range.high, d);
    if (last - first >= most_cases) return m_work.fail(), made;
    CellSet left = a.region;
    for (Index k = first; k <= last && !left.is_empty() && !m_work.failed(); ++k) {
      CellSet here = m_restriction.restricted(a.sum, Relation::at_most, k * d + d - 1, left);
      left = m_work.joined(left, here, Combine::first_only);
      if (!append_quotient(made, node, a.sum, std::move(here), k)) return m_work.fail(), made;
    }
  }
  return made;
}

bool CaseSolver::append_quotient(std::vector<Case>& all, const BoundNode& node, const Sum& sum, CellSet here, Index k) {
  if (node.op == Op::floor_divide) return append_constant(all, std::move(here), k), true;
  if (here.is_empty()) return true;
  Sum rest = sum;
  if (!shift(rest.f, -k * m_program.at(node.b).value)) return false;
  append(all, {{std::move(here), std::move(rest)}});
  return true;
}

std::vector<Case> CaseSolver::elements(const BoundNode& node, const CellSet& within, int depth) {
  std::vector<Case> made;
  const BoundArray& array = *m_program.arrays[static_cast<std::size_t>(node.value)];
  for (const Case& a : cases(node.a, within, depth + 1)) {
    const Bounds range = range_of(a.sum, a.region);
    if (m_work.failed() || array.size() == 0 || range.low > range.high) return m_work.fail(), made;
    CellSet left = a.region;
    const auto take = [&](Index last) {
      CellSet here = m_restriction.restricted(a.sum, Relation::at_most, last, left);
      left = m_work.joined(left, here, Combine::first_only);
      return here;
    };
    append_constant(made, take(-1), 0);
    const Index from = std::clamp<Index>(range.low, 0, array.size() - 1);
    for (std::size_t p = array.piece_index(from); p < array.pieces().size() && !left.is_empty() && !m_work.failed();
         ++p) {
      const ArrayPiece& piece = array.pieces()[p];
      if (piece.range.begin > range.high) break;
      CellSet here = take(piece.range.end - 1);
      if (here.is_empty()) continue;
      if (!append_piece(made, piece, a.sum, std::move(here))) return m_work.fail(), made;
    }
    append_constant(made, std::move(left), 0);
  }
  return made;
}

bool CaseSolver::append_piece(std::vector<Case>& all, const ArrayPiece& piece, const Sum& index, CellSet here) {
  if (!is_moderate({piece.first, piece.first}) || !is_moderate({piece.last(), piece.last()})) return false;
  if (piece.slope == 0) return append_constant(all, std::move(here), piece.first), true;
  Sum value = index;
  if (!shift(value.f, piece.first - piece.range.begin)) return false;
  append(all, {{std::move(here), std::move(value)}});
  return true;
}

}  // namespace vqscope::language
