// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/plain_evaluator.h"

#include <vector>

namespace vqscope::language {

/// Operations of a program in which everything but q and kv is known. No operation can fail: where
/// the definition has no value, these have an arbitrary one, and a separate truth value marks the
/// failure.
enum class BoundOp : std::uint8_t {
  constant,
  q,
  kv,
  element,  ///< arrays[value][a], 0 outside
  negate,
  absolute,
  bit_not,
  add,
  subtract,
  multiply,
  floor_divide,
  modulo,
  power,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  minimum,
  maximum,
  to_int,
  select,  ///< a ? b : c, of integers or of truth values
  less,
  less_equal,
  equal,
  logical_not,
  logical_and,
  logical_or,
  logical_xor,
  add_overflows,
  subtract_overflows,
  multiply_overflows,
  power_overflows,
  shift_overflows,
};

/// The operations for an operator without a BoundOp: its value, and whether it has none. They are
/// looked up in the operator table and have no fast path.
inline constexpr std::size_t first_applied = 128, first_refused = 192;
inline constexpr BoundOp applied(Op op) { return static_cast<BoundOp>(first_applied + static_cast<std::size_t>(op)); }
inline constexpr BoundOp refused(Op op) { return static_cast<BoundOp>(first_refused + static_cast<std::size_t>(op)); }
static_assert(static_cast<std::size_t>(BoundOp::shift_overflows) < first_applied && op_count <= 64);

struct BoundNode {
  BoundOp op = BoundOp::constant;
  bool is_bool = false;
  bool by_q = false;   ///< depends on the query
  bool by_kv = false;  ///< depends on the key
  bool exact = true;   ///< never wraps: the result equals that of unbounded integers
  NodeId a = no_node;
  NodeId b = no_node;
  NodeId c = no_node;
  Index value = 0;
  Bounds bounds;  ///< over all cells
};

struct BoundTerm {
  NodeId holds = no_node;   ///< false where the term has no value
  NodeId fails = no_node;   ///< where the term has no value; no_node: nowhere
  NodeId passes = no_node;  ///< holds, or is not evaluated
};

struct BoundProgram {
  Extent extent;
  std::vector<BoundNode> nodes;  ///< operands before what uses them
  std::vector<ArrayPtr> arrays;
  std::vector<BoundTerm> terms;  ///< nodes are set only for terms that are on
  NodeId visible = no_node;
  NodeId fails = no_node;  ///< where an evaluated term has no value; no_node: nowhere

  const BoundNode& at(NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
};

BoundProgram bind(const Code& code, const Environment& environment, const std::vector<bool>& term_on);

/// The result of an operation other than constant, q, kv and element.
Index evaluate(BoundOp op, Index a, Index b, Index c);

/// Bounds of a node whose operands are within these bounds, and whether it can wrap. `cells` are
/// the rows and columns.
Bounds bounds_of(const BoundProgram& program, const BoundNode& node, const Rect& cells, Bounds a, Bounds b, Bounds c,
                 bool* exact = nullptr);

}  // namespace vqscope::language
