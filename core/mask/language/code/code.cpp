// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/code.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

namespace vqscope::language {
namespace {

/// Which nodes `root` uses, including itself. Operands come before their users, so one pass from
/// the top is enough.
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

/// Removes from `all` what is not kept; returns the new index of each.
template <class Use>
std::vector<Index> renumbered(std::vector<Use>& all, const std::vector<bool>& kept) {
  std::vector<Index> moved(all.size(), -1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!kept[i]) continue;
    moved[i] = static_cast<Index>(next);
    if (next != i) all[next] = std::move(all[i]);
    ++next;
  }
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(next), all.end());
  return moved;
}

}  // namespace

std::optional<Variable> variable_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Variable>, 12> rows{{{"b", Variable::b},
                                                                               {"h", Variable::h},
                                                                               {"q_idx", Variable::q_idx},
                                                                               {"kv_idx", Variable::kv_idx},
                                                                               {"q_pos", Variable::q_pos},
                                                                               {"kv_pos", Variable::kv_pos},
                                                                               {"q_doc", Variable::q_doc},
                                                                               {"kv_doc", Variable::kv_doc},
                                                                               {"key_valid", Variable::key_valid},
                                                                               {"past_len", Variable::past_len},
                                                                               {"q_len", Variable::q_len},
                                                                               {"kv_len", Variable::kv_len}}};
  const auto found = std::ranges::find(rows, name, [](const auto& row) { return row.first; });
  return found == rows.end() ? std::nullopt : std::optional(found->second);
}

std::string element_name(const ArrayUse& array, Index place) {
  std::string indices;
  for (std::size_t side = array.shape.size(); side-- > 0 && array.shape[side] > 0;) {
    indices.insert(0, to_text(floor_modulo(place, array.shape[side])) + (indices.empty() ? "" : ", "));
    place = floor_divide(place, array.shape[side]);
  }
  return shortened(array.name) + "[" + (indices.empty() ? to_text(place) : indices) + "]";
}

void give_comparisons(Code& code) {
  for (TermCode& term : code.terms) {
    term.comparisons.clear();
    const auto below = reachable(code, term.node);
    for (std::size_t i = 0; i < code.comparisons.size(); ++i)
      if (below[static_cast<std::size_t>(code.comparisons[i].node)]) term.comparisons.push_back(i);
  }
}

void prune(Code& code) {
  std::vector<bool> kept(code.nodes.size());
  for (const TermCode& term : code.terms) {
    const auto below = reachable(code, term.node);
    for (std::size_t id = 0; id < below.size(); ++id) kept[id] = kept[id] || below[id];
  }
  std::vector<bool> integer_kept(code.integers.size()), array_kept(code.arrays.size());
  std::vector<NodeId> moved(code.nodes.size(), no_node);
  std::vector<Node> nodes;
  for (std::size_t id = 0; id < code.nodes.size(); ++id) {
    if (!kept[id]) continue;
    Node node = code.nodes[id];
    for (NodeId* operand : {&node.a, &node.b, &node.c})
      if (*operand != no_node) *operand = moved[static_cast<std::size_t>(*operand)];
    if (node.op == Op::parameter) integer_kept[static_cast<std::size_t>(node.value)] = true;
    if (node.op == Op::element || node.op == Op::length) array_kept[static_cast<std::size_t>(node.value)] = true;
    moved[id] = static_cast<NodeId>(nodes.size());
    nodes.push_back(node);
  }
  for (std::size_t i = 0; i < code.integers.size(); ++i) integer_kept[i] = integer_kept[i] || code.integers[i].decides;
  for (std::size_t i = code.arrays.size(); i-- > 0;) {
    array_kept[i] = array_kept[i] || code.arrays[i].may_miss || code.arrays[i].decides;
    if (array_kept[i] && code.arrays[i].of >= 0) array_kept[static_cast<std::size_t>(code.arrays[i].of)] = true;
  }
  const auto integer_at = renumbered(code.integers, integer_kept);
  const auto array_at = renumbered(code.arrays, array_kept);
  for (ArrayUse& use : code.arrays)
    if (use.of >= 0) use.of = array_at[static_cast<std::size_t>(use.of)];
  for (Node& node : nodes) {
    if (node.op == Op::parameter) node.value = integer_at[static_cast<std::size_t>(node.value)];
    if (node.op == Op::element || node.op == Op::length) node.value = array_at[static_cast<std::size_t>(node.value)];
  }
  const auto at = [&](NodeId& id) { id = id == no_node ? no_node : moved[static_cast<std::size_t>(id)]; };
  std::erase_if(code.comparisons, [&](const Comparison& c) { return !kept[static_cast<std::size_t>(c.node)]; });
  for (Comparison& comparison : code.comparisons)
    for (NodeId* id : {&comparison.node, &comparison.left, &comparison.right}) at(*id);
  for (TermCode& term : code.terms) at(term.node);
  for (BranchCode& branch : code.branches) at(branch.join);
  code.nodes = std::move(nodes);
}

bool depends_on(const Code& code, Variable variable) {
  if ((variable == Variable::b && code.is_of_b) || (variable == Variable::h && code.is_of_h)) return true;
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
