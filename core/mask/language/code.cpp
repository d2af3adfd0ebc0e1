// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

namespace vqscope::language {
namespace {

/// Which nodes `root` is made of, itself among them. Operands stand before what uses them, so one sweep from the top
/// is enough.
std::vector<bool> reachable(const Code& code, NodeId root) {
  std::vector<bool> below(code.nodes.size());
  below[static_cast<std::size_t>(root)] = true;
  for (NodeId id = root; id >= 0; --id) {
    if (!below[static_cast<std::size_t>(id)]) continue;
    for (const NodeId operand : {code.at(id).a, code.at(id).b, code.at(id).c})
      if (operand != no_node) below[static_cast<std::size_t>(operand)] = true;
  }
  return below;
}

}  // namespace

void give_comparisons(Code& code) {
  for (TermCode& term : code.terms) {
    term.comparisons.clear();
    const auto below = reachable(code, term.node);
    for (std::size_t i = 0; i < code.comparisons.size(); ++i)
      if (below[static_cast<std::size_t>(code.comparisons[i].node)]) term.comparisons.push_back(i);
  }
}

bool depends_on(const Code& code, Variable variable) {
  return std::ranges::any_of(code.terms, [&](const TermCode& term) {
    const auto below = reachable(code, term.node);
    for (std::size_t id = 0; id < below.size(); ++id)
      if (const Node& node = code.nodes[id];
          below[id] && node.op == Op::variable && node.value == static_cast<Index>(variable))
        return true;
    return false;
  });
}

Code without_branches(Code code, const std::vector<bool>& on) {
  assert(on.size() == code.branches.size());
  std::map<NodeId, std::array<bool, 2>> left_out;
  for (std::size_t i = 0; i < on.size(); ++i)
    if (!on[i]) left_out[code.branches[i].join][code.branches[i].second ? 1 : 0] = true;
  for (const auto& [id, sides] : left_out) {
    Node& join = code.nodes[static_cast<std::size_t>(id)];
    if (sides[0] && sides[1])
      join = {.op = Op::constant, .is_bool = true, .value = 0, .range = join.range, .depth = join.depth};
    else
      join.a = join.b = sides[0] ? join.b : join.a;
  }
  give_comparisons(code);
  return code;
}

}  // namespace vqscope::language
