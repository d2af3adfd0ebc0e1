// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/term_compiler.h"

namespace vqscope::language {

void TermCompiler::split_result(NodeId root, Range range) {
  if (failed()) return;
  if (!node(root).is_bool)
    warn(range, "the mask is an integer, anything but 0 is visible; write " + written(range).substr(0, 80) +
                    " != 0 to say so");
  split(as_bool(root), {}, true);
}

void TermCompiler::split(NodeId id, std::vector<std::size_t> guards, bool is_root) {
  auto& terms = m_out.code.terms;
  const Node n = node(id);
  const auto named = m_names.find(id);
  const bool joins = n.op == Op::logical_and || n.op == Op::and_then;
  const bool chained = n.op == Op::and_then && m_chains.contains(id);
  if (!joins || chained || (named != m_names.end() && !is_root) || terms.size() > 1000) {
    terms.push_back({named != m_names.end() ? named->second : written(n.range), n.range, id, std::move(guards)});
    return;
  }
  const std::size_t before = terms.size();
  split(n.a, guards, false);
  if (n.op == Op::and_then)
    for (std::size_t i = before; i < terms.size(); ++i) guards.push_back(i);
  split(n.b, std::move(guards), false);
}

void TermCompiler::finish() {
  Code& code = m_out.code;
  if (code.terms.empty()) code.terms.push_back({"True", {}, m_build.constant(1, true, {})});
  for (TermCode& term : code.terms) {
    const auto below = reachable(term.node);
    for (std::size_t i = 0; i < code.comparisons.size(); ++i)
      if (below[static_cast<std::size_t>(code.comparisons[i].node)]) term.comparisons.push_back(i);
  }
}

std::vector<bool> TermCompiler::reachable(NodeId root) const {
  std::vector<bool> below(m_out.code.nodes.size());
  below[static_cast<std::size_t>(root)] = true;
  for (NodeId id = root; id >= 0; --id) {
    if (!below[static_cast<std::size_t>(id)]) continue;
    for (const NodeId operand : {node(id).a, node(id).b, node(id).c})
      if (operand != no_node) below[static_cast<std::size_t>(operand)] = true;
  }
  return below;
}

}  // namespace vqscope::language
