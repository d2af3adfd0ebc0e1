// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/region.h"

#include <utility>

namespace vqscope::language {

/// Regions made from regions on a budget of steps: once it is spent, or something cannot be solved, everything is
/// empty.
class RegionWork {
 public:
  bool failed() const { return m_failed; }

  /// Of the budget; below 0 when it is spent.
  Index left() const { return m_combiner.left; }

 protected:
  explicit RegionWork(Index budget) { m_combiner.left = budget; }

  Region fail() {
    m_failed = true;
    return {};
  }

  /// Takes steps + 1 from the budget. False: nothing is left of it, or something has failed before.
  bool spend(Index steps) {
    m_combiner.left -= steps + 1;
    if (m_combiner.left < 0) m_failed = true;
    return !m_failed;
  }

  Region joined(const Region& a, const Region& b, Combine how) {
    if (m_failed) return {};
    Region made = m_combiner.combine(a, b, how);
    return spend(0) ? std::move(made) : Region{};
  }

  Combiner m_combiner;
  bool m_failed = false;
};

}  // namespace vqscope::language
