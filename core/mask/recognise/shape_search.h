// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/shape_votes.h"

#include <limits>

namespace vqscope {

/// About how many nanoseconds two rows take to compare, and each interval of them.
inline constexpr Index comparison_steps = 32;
inline constexpr Index interval_steps = 4;

/// Looks for the cheapest shape: MaskShape::size() for the words, and so much for an exception.
class ShapeSearch {
 public:
  ShapeSearch(const MaskRows& rows, CountBudget& budget);

  void run(Index exception_cost);
  const MaskShape& best() const { return m_best; }
  Index cost() const { return m_best_cost; }
  bool is_exact() const { return m_best_cost == m_best.size(); }
  bool stopped() const { return m_budget.is_over(); }

 private:
  void improve(MaskShape shape);
  /// Dilated windows, which no single change leads to.
  void improve_dilated(const MaskShape& start);
  void try_changes(const MaskShape& shape);
  void try_right(MaskShape shape);
  void try_left(MaskShape shape);
  void try_documents(MaskShape shape);
  /// Also documents joined by "or"; without a causal limit yet, with one.
  void try_widening(MaskShape shape);
  /// Borders that only a few cells cross, as far as they are few themselves.
  std::vector<Index> single_borders() const;
  /// The shape without the count (a dilation without is 1), then with each.
  void try_counts(const MaskShape& counted, Index MaskShape::*count, const std::vector<Index>& values);
  void try_shape(MaskShape shape);
  /// Gives up, with any number from `enough` on, when there is no hope.
  Index cost_of(const MaskShape& shape, Index enough);
  static constexpr Index none = std::numeric_limits<Index>::max();

  const MaskRows& m_rows;
  ShapeVotes m_votes;
  CountBudget& m_budget;
  std::vector<Index> m_pads_left;
  std::vector<Index> m_pads_right;
  std::vector<Index> m_blind_first;
  std::vector<Index> m_blind_last;
  std::vector<Range> m_hidden;
  std::vector<Index> m_searched;
  std::vector<std::vector<Index>> m_documents;
  std::vector<std::vector<Index>> m_widening;
  std::vector<Range> m_row;
  Index m_exception_cost = 0;
  MaskShape m_step;
  Index m_step_cost = none;
  MaskShape m_best;
  Index m_best_cost = none;
};

}  // namespace vqscope
