// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/interval_evaluator.h"

namespace vqscope::language {

Bounds IntervalEvaluator::over(const Rect& cells, NodeId root) {
  const auto of = [&](NodeId id) { return id == no_node ? Bounds{} : m_bounds[static_cast<std::size_t>(id)]; };
  for (NodeId id = 0; id <= root; ++id) {
    const BoundNode& node = m_program.at(id);
    m_bounds[static_cast<std::size_t>(id)] = bounds_of(m_program, node, cells, of(node.a), of(node.b), of(node.c));
  }
  return of(root);
}

}  // namespace vqscope::language
