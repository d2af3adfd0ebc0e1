// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/terms.h"

#include "core/base/text.h"
#include "core/mask/language/code/true_line.h"
#include "core/mask/language/compile/tensor/tensor_operations.h"

namespace vqscope::language {
namespace {

/// Maximum characters of the text of a term without a name.
constexpr std::size_t longest_name = 120;

/// Splits a node into terms, which are evaluated only where the terms `guards` hold.
void split_term(Compilation& c, NodeId id, std::vector<std::size_t> guards, bool is_root) {
  auto& terms = c.out.code.terms;
  const Node n = c.node(id);
  const auto named = c.names.find(id);
  const bool joins = n.op == Op::logical_and || n.op == Op::and_then;
  const bool chained = n.op == Op::and_then && c.chains.contains(id);
  // A term that holds everywhere masks nothing.
  if (n.op == Op::constant && n.is_bool && n.value != 0) return;
  if (!joins || chained || (named != c.names.end() && !is_root) || terms.size() > 1000) {
    terms.push_back({named != c.names.end() ? named->second : shortened(c.written(n.range), longest_name), n.range, id,
                     std::move(guards)});
    return;
  }
  const std::size_t before = terms.size();
  split_term(c, n.a, guards, false);
  if (n.op == Op::and_then)
    for (std::size_t i = before; i < terms.size(); ++i) guards.push_back(i);
  split_term(c, n.b, std::move(guards), false);
}

/// Finds the sides of a term's own `or`, down to named nodes.
void find_branches(Compilation& c, NodeId root) {
  const Node n = c.node(root);
  if (n.op != Op::logical_or && n.op != Op::or_else) return;
  auto& branches = c.out.code.branches;
  for (const bool second : {false, true}) {
    const NodeId side = second ? n.b : n.a;
    const auto named = c.names.find(side);
    const bool joins = c.node(side).op == Op::logical_or || c.node(side).op == Op::or_else;
    if (branches.size() > 1000) return;
    if (joins && named == c.names.end())
      find_branches(c, side);
    else
      branches.push_back(
          {named != c.names.end() ? named->second : shortened(c.written(c.node(side).range), longest_name), root,
           second});
  }
}

}  // namespace

void split_result(Compilation& c, NodeId root, Range range) {
  if (c.failed()) return;
  const bool inverts = is_true_masked(c.text);
  if (!c.node(root).is_bool)
    c.warn(range, "the mask is an integer, any value but 0 is {}; write {} != 0 to make this explicit",
           inverts ? "masked" : "visible", shortened(c.written(range), 80));
  NodeId visible = c.as_bool(root);
  if (inverts) {
    visible = c.make(Op::logical_not, true, range, visible).node;
    if (!c.failed()) c.names.try_emplace(visible, "~(" + shortened(c.written(range), longest_name) + ")");
  }
  if (!c.failed()) split_term(c, visible, {}, true);
}

void finish_terms(Compilation& c) {
  Code& code = c.out.code;
  for (const TermCode& term : code.terms) find_branches(c, term.node);
  prune(code);
  give_comparisons(code);
}

}  // namespace vqscope::language
