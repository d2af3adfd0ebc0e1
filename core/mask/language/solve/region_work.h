// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/cell_combiner.h"
#include "core/mask/language/bind/bound_program.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stop_token>
#include <utility>

namespace vqscope::language {

/// Limits of solving: a number of steps of a few nanoseconds, and a stop.
struct SolverBudget {
  Index steps = 0;
  std::stop_token stop = {};
};

/// Computes regions from regions on a budget that all parts of a solver share. Once the budget is
/// spent, a stop is requested, a region grows too large or something cannot be solved, every result
/// is empty.
class RegionWork {
 public:
  explicit RegionWork(SolverBudget budget) : m_stop(std::move(budget.stop)) { m_combiner.left = budget.steps; }

  bool failed() const { return m_failed; }

  /// Rest of the budget; below 0 if it is spent.
  Index left() const { return m_combiner.left; }

  CellSet fail() {
    m_failed = true;
    return {};
  }

  /// Takes steps + 1 from the budget. False: the budget is spent, or something has failed before.
  bool spend(Index steps) {
    constexpr Index steps_between_looks = 1 << 12;
    m_combiner.left -= steps + 1;
    if (m_combiner.left < 0) m_failed = true;
    if (m_combiner.left < m_next_look) {
      m_next_look = m_combiner.left - steps_between_looks;
      if (m_stop.stop_requested()) m_failed = true;
    }
    return !m_failed;
  }

  /// False, and everything fails, if the region has become too large.
  bool fits(const CellSet& region) {
    if (region.size() > most_bands) m_failed = true;
    return !m_failed;
  }

  CellSet joined(const CellSet& a, const CellSet& b, Combine how) {
    if (m_failed) return {};
    CellSet made = m_combiner.combine(a, b, how);
    return spend(0) && fits(made) ? std::move(made) : CellSet{};
  }

  /// Appends the intersection of straight columns of some rows.
  void intersect(Range rows, Bands a, Bands b, CellSet& out) {
    if (!a.empty() && !b.empty()) m_combiner.combine(rows, a, b, Combine::both, out);
    spend(0);
  }

  /// The result of `make` if it takes at most `steps` steps; else empty, as if it had not been
  /// tried, except that its steps are spent. A stop fails everything as usual.
  template <class Make>
  std::optional<CellSet> attempt(Index steps, const Make& make) {
    const Index before = m_combiner.left;
    const Index allowed = std::min(before, steps);
    m_combiner.left = allowed;
    CellSet made = make();
    const Index spent = allowed - std::max<Index>(m_combiner.left, 0);
    m_combiner.left = before - spent;
    m_next_look = std::numeric_limits<Index>::max();
    if (!m_failed) return made;
    m_failed = m_combiner.left <= 0 || m_stop.stop_requested();
    return std::nullopt;
  }

 private:
  CellCombiner m_combiner;
  bool m_failed = false;
  std::stop_token m_stop;
  Index m_next_look = std::numeric_limits<Index>::max();
};

/// A condition of an `and`, and where it holds in the region that was solved.
struct SolvedCondition {
  NodeId root = no_node;
  CellSet region;
};

}  // namespace vqscope::language
