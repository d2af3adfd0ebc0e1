// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"

namespace vqscope::language {

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
