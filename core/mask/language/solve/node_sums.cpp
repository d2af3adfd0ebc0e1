// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/node_sums.h"

namespace vqscope::language {

std::optional<Part> NodeSums::part_of(NodeId id) const {
  const BoundNode& node = m_program.at(id);
  if (node.op == Op::constant) {
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

std::optional<Sum> NodeSums::plain_sum(NodeId id, int depth) {
  const BoundNode& node = m_program.at(id);
  if (depth > deepest_node || !m_work.spend(0)) return std::nullopt;
  if (!node.by_q || !node.by_kv) {
    const auto part = part_of(id);
    if (!part) return std::nullopt;
    return node.by_kv ? Sum{{}, *part} : Sum{*part, {}};
  }
  const bool is_sum = node.op == Op::add || node.op == Op::subtract;
  if (!node.exact || (!is_sum && node.op != Op::negate)) return std::nullopt;
  auto a = plain_sum(node.a, depth + 1);
  if (!a) return std::nullopt;
  if (!is_sum) return scale(*a, -1) ? a : std::nullopt;
  auto b = plain_sum(node.b, depth + 1);
  if (!b) return std::nullopt;
  if (node.op == Op::subtract && !scale(*b, -1)) return std::nullopt;
  return add(*b, *a) ? b : std::nullopt;
}

bool NodeSums::add(Sum& sum, const Sum& other) { return add_part(sum.f, other.f) && add_part(sum.g, other.g); }

std::optional<Sum> NodeSums::difference_of(const Sum& a, Sum b) {
  if (!scale(b, -1) || !add(b, a)) return std::nullopt;
  return b;
}

bool NodeSums::add_part(Part& sum, const Part& other) {
  if (other.is_constant()) return shift(sum, other.offset);
  if (sum.is_constant()) {
    const Index offset = sum.offset;
    sum = other;
    return shift(sum, offset);
  }
  return m_work.spend(static_cast<Index>(sum.pieces->size() + other.pieces->size())) && add_pieces(sum, other);
}

}  // namespace vqscope::language
