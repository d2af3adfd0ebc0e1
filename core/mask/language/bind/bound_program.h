// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/plain_evaluator.h"

#include <vector>

namespace vqscope::language {

/// An operation that has no value for some integers has an arbitrary one in a bound program; this
/// truth value is true there.
inline constexpr std::size_t first_failure = 128;
inline constexpr Op failure_of(Op op) { return static_cast<Op>(first_failure + static_cast<std::size_t>(op)); }
static_assert(op_count <= first_failure);

struct BoundNode {
  Op op = Op::constant;
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

/// A program in which everything but q and kv is known. No operation can fail.
BoundProgram bind(const Code& code, const Environment& environment, const std::vector<bool>& term_on);

/// The result of an operation other than constant, q, kv and element.
Index evaluate(Op op, Index a, Index b, Index c);

/// Bounds of a node whose operands are within these bounds, and whether it can wrap. `cells` are
/// the rows and columns.
Bounds bounds_of(const BoundProgram& program, const BoundNode& node, const Rect& cells, Bounds a, Bounds b, Bounds c,
                 bool* exact = nullptr);

/// Bounds of a node of a program over a rectangle of cells: never too narrow, often exact.
class IntervalEvaluator {
 public:
  explicit IntervalEvaluator(const BoundProgram& program) : m_program(program), m_bounds(program.nodes.size()) {}

  Bounds over(const Rect& cells, NodeId root);

 private:
  const BoundProgram& m_program;
  std::vector<Bounds> m_bounds;
};

}  // namespace vqscope::language
