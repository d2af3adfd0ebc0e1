// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/term_compiler.h"

#include "core/base/text.h"

namespace vqscope::language {
namespace {

/// Of a term that has no name of its own: characters of its text.
constexpr std::size_t longest_name = 120;

}  // namespace

void TermCompiler::split_result(NodeId root, Range range) {
  if (failed()) return;
  if (!node(root).is_bool)
    warn(range, "the mask is an integer, anything but 0 is visible; write " + shortened(written(range), 80) +
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
    terms.push_back({named != m_names.end() ? named->second : shortened(written(n.range), longest_name), n.range, id,
                     std::move(guards)});
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
  for (const TermCode& term : code.terms) find_branches(term.node);
  prune(code);
  give_comparisons(code);
}

void TermCompiler::find_branches(NodeId root) {
  const Node n = node(root);
  if (n.op != Op::logical_or && n.op != Op::or_else) return;
  auto& branches = m_out.code.branches;
  for (const bool second : {false, true}) {
    const NodeId side = second ? n.b : n.a;
    const auto named = m_names.find(side);
    const bool joins = node(side).op == Op::logical_or || node(side).op == Op::or_else;
    if (branches.size() > 1000) return;
    if (joins && named == m_names.end())
      find_branches(side);
    else
      branches.push_back(
          {named != m_names.end() ? named->second : shortened(written(node(side).range), longest_name), root, second});
  }
}

}  // namespace vqscope::language
