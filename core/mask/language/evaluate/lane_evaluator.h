// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"

#include <memory>
#include <span>

namespace vqscope::language {

struct LanePlan;

/// Evaluates a truth value of a program along rows, in blocks of lanes. What depends only on the
/// query is evaluated once per row, comparisons that are linear in the key are filled as ranges,
/// and integers have 32 bits if all of them fit.
class LaneEvaluator {
 public:
  LaneEvaluator(const BoundProgram& program, NodeId root);
  ~LaneEvaluator();
  LaneEvaluator(const LaneEvaluator&) = delete;
  LaneEvaluator& operator=(const LaneEvaluator&) = delete;

  /// out[i] is 1 or 0 at (q, cols.begin + i); as long as cols.
  void row(Index q, Range cols, std::uint8_t* out) const;

  /// The columns of `cols` where it is true: sorted, disjoint, not touching; appended.
  void intervals(Index q, Range cols, std::vector<Range>& out) const;

 private:
  template <class Int>
  void run(Index q, Range cols, std::uint8_t* out) const;

  const BoundProgram& m_program;
  std::unique_ptr<const LanePlan> m_plan;
};

}  // namespace vqscope::language
