// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/code.h"

#include <map>
#include <tuple>

namespace vqscope::language {

/// Appends nodes to a Code, each only once.
class NodeBuilder {
 public:
  explicit NodeBuilder(Code& code) : m_code(code) {}

  NodeId constant(Index value, bool is_bool, Range range) {
    return make({.op = Op::constant, .is_bool = is_bool, .value = value, .range = range});
  }

  NodeId make(Node node) {
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand != no_node) node.depth = std::max(node.depth, m_code.at(operand).depth + 1);
    const Key key{node.op, node.is_bool, node.a, node.b, node.c, node.value};
    const auto [found, added] = m_known.try_emplace(key, static_cast<NodeId>(m_code.nodes.size()));
    if (added) m_code.nodes.push_back(node);
    return found->second;
  }

  NodeId as_int(NodeId id) {
    const Node& node = m_code.at(id);
    if (!node.is_bool) return id;
    if (node.op == Op::constant) return constant(node.value, false, node.range);
    return make({.op = Op::to_int, .a = id, .range = node.range});
  }

  NodeId as_bool(NodeId id) {
    const Node& node = m_code.at(id);
    if (node.is_bool) return id;
    if (node.op == Op::constant) return constant(node.value != 0 ? 1 : 0, true, node.range);
    if (node.op == Op::to_int) return node.a;
    return make({.op = Op::to_bool, .is_bool = true, .a = id, .range = node.range});
  }

 private:
  using Key = std::tuple<Op, bool, NodeId, NodeId, NodeId, Index>;
  Code& m_code;
  std::map<Key, NodeId> m_known;
};

}  // namespace vqscope::language
