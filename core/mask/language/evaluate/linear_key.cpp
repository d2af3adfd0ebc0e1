// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/linear_key.h"

namespace vqscope::language {

bool append(Linear& sum, Index factor, const Linear& other) {
  constexpr std::size_t most_parts = 16;
  sum.sign += factor * other.sign;
  for (const auto& [f, id] : other.parts) sum.parts.emplace_back(factor * f, id);
  return sum.parts.size() <= most_parts;
}

std::optional<Linear> linear(const BoundProgram& program, NodeId id) {
  const BoundNode& node = program.at(id);
  if (!node.by_kv) return Linear{0, {{1, id}}};
  if (node.op == Op::kv) return Linear{1, {}};
  if (!node.exact) return std::nullopt;
  if (node.op != Op::add && node.op != Op::subtract && node.op != Op::negate) return std::nullopt;
  auto sum = linear(program, node.a);
  if (!sum) return std::nullopt;
  if (node.op == Op::negate) {
    Linear negated;
    append(negated, -1, *sum);
    return negated;
  }
  const auto other = linear(program, node.b);
  if (!other || !append(*sum, node.op == Op::add ? 1 : -1, *other)) return std::nullopt;
  return sum;
}

}  // namespace vqscope::language
