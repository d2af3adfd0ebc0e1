// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace vqscope::test {

/// A bound program that is made node by node, with bounds as bind() gives them; value() is the slow
/// definition of what a node is at a cell.
class BoundNodes {
 public:
  explicit BoundNodes(Extent extent) { program.extent = extent; }

  language::NodeId constant(Index value, bool is_bool = false) {
    return add({.op = language::Op::constant, .is_bool = is_bool, .value = value});
  }
  language::NodeId q() { return add({.op = language::Op::q}); }
  language::NodeId kv() { return add({.op = language::Op::kv}); }
  language::NodeId element(std::vector<Index> values, language::NodeId at) {
    program.arrays.push_back(std::make_shared<language::BoundArray>(std::move(values)));
    return add({.op = language::Op::element, .a = at, .value = static_cast<Index>(program.arrays.size()) - 1});
  }
  language::NodeId number(language::Op op, language::NodeId a, language::NodeId b = language::no_node,
                          language::NodeId c = language::no_node) {
    return add({.op = op, .a = a, .b = b, .c = c});
  }
  language::NodeId truth(language::Op op, language::NodeId a, language::NodeId b = language::no_node,
                         language::NodeId c = language::no_node) {
    return add({.op = op, .is_bool = true, .a = a, .b = b, .c = c});
  }

  /// The definition.
  Index value(language::NodeId id, Index row, Index col) const {
    const auto of = [&](language::NodeId operand) {
      return operand == language::no_node ? Index{0} : value(operand, row, col);
    };
    const language::BoundNode& node = program.at(id);
    switch (node.op) {
      case language::Op::constant: return node.value;
      case language::Op::q: return row;
      case language::Op::kv: return col;
      case language::Op::element: {
        const auto& array = *program.arrays[static_cast<std::size_t>(node.value)];
        const Index at = of(node.a);
        return at >= 0 && at < array.size() ? array.at(at) : 0;
      }
      default: return language::evaluate(node.op, of(node.a), of(node.b), of(node.c));
    }
  }

  language::BoundProgram program;

 private:
  language::NodeId add(language::BoundNode node) {
    const auto bounds = [&](language::NodeId id) {
      return id == language::no_node ? language::Bounds{} : program.at(id).bounds;
    };
    const Rect cells{{0, program.extent.rows}, {0, program.extent.cols}};
    node.bounds =
        language::bounds_of(program, node, cells, bounds(node.a), bounds(node.b), bounds(node.c), &node.exact);
    node.by_q = node.op == language::Op::q;
    node.by_kv = node.op == language::Op::kv;
    for (const language::NodeId operand : {node.a, node.b, node.c}) {
      if (operand == language::no_node) continue;
      node.by_q = node.by_q || program.at(operand).by_q;
      node.by_kv = node.by_kv || program.at(operand).by_kv;
    }
    program.nodes.push_back(node);
    return static_cast<language::NodeId>(program.nodes.size()) - 1;
  }
};

inline constexpr std::array integer_operations{
    language::Op::negate,   language::Op::absolute,   language::Op::bit_not,      language::Op::add,
    language::Op::subtract, language::Op::multiply,   language::Op::floor_divide, language::Op::modulo,
    language::Op::power,    language::Op::shift_left, language::Op::shift_right,  language::Op::bit_and,
    language::Op::bit_or,   language::Op::bit_xor,    language::Op::minimum,      language::Op::maximum,
};

/// Of two integers.
inline constexpr std::array comparisons{
    language::Op::less,
    language::Op::less_equal,
    language::Op::equal,
    language::failure_of(language::Op::add),
    language::failure_of(language::Op::subtract),
    language::failure_of(language::Op::multiply),
    language::failure_of(language::Op::power),
    language::failure_of(language::Op::shift_left),
};

inline bool has_one_operand(language::Op op) {
  return op == language::Op::negate || op == language::Op::absolute || op == language::Op::bit_not;
}

/// Adds `count` random nodes of any kind, integers and truth values; the last one is a truth value.
/// `wide`: constants and array values may be as large as 64 bits are.
inline language::NodeId add_random_nodes(Random& random, BoundNodes& nodes, int count, bool wide) {
  using language::Op, language::NodeId;
  std::vector<NodeId> integers{nodes.q(), nodes.kv()}, truths;
  const auto any = [&](const auto& all) {
    return all[static_cast<std::size_t>(pick(random, 0, static_cast<Index>(all.size()) - 1))];
  };
  const auto number = [&] {
    if (!wide || pick(random, 0, 3) != 0) return pick(random, -4, 9);
    return pick(random, std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max());
  };
  const auto compared = [&] { truths.push_back(nodes.truth(any(comparisons), any(integers), any(integers))); };
  compared();
  for (int i = 0; i < count; ++i) {
    switch (pick(random, 0, 9)) {
      case 0: integers.push_back(nodes.constant(number())); break;
      case 1: {
        std::vector<Index> values;
        for (Index k = pick(random, 1, 40); k > 0; --k) values.push_back(number());
        integers.push_back(nodes.element(std::move(values), any(integers)));
        break;
      }
      case 2: integers.push_back(nodes.number(Op::select, any(truths), any(integers), any(integers))); break;
      case 3: integers.push_back(nodes.number(Op::to_int, any(truths))); break;
      case 4: {
        const Op op = any(std::array{Op::logical_and, Op::logical_or, Op::logical_xor});
        truths.push_back(nodes.truth(op, any(truths), any(truths)));
        break;
      }
      case 5: truths.push_back(nodes.truth(Op::logical_not, any(truths))); break;
      case 6: truths.push_back(nodes.truth(Op::select, any(truths), any(truths), any(truths))); break;
      case 7: compared(); break;
      default: {
        const Op op = any(integer_operations);
        integers.push_back(nodes.number(op, any(integers), has_one_operand(op) ? language::no_node : any(integers)));
      }
    }
  }
  return nodes.truth(Op::logical_xor, truths.back(), nodes.truth(Op::less_equal, integers.back(), any(integers)));
}

}  // namespace vqscope::test
