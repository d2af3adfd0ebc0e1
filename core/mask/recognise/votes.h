// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace vqscope {

/// Counts how often each value is proposed.
class Votes {
 public:
  static constexpr std::size_t most_candidates = 4;

  void add(Index value) { ++m_counts[value]; }
  bool empty() const { return m_counts.empty(); }

  /// The values with the most votes, at most `most`.
  std::vector<Index> winners(std::size_t most = most_candidates) const {
    std::vector<std::pair<Index, Index>> order;
    for (const auto& [value, count] : m_counts) order.emplace_back(-count, value);
    const auto kept = std::min(order.size(), most);
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept));
    std::vector<Index> values;
    for (std::size_t i = 0; i < kept; ++i) values.push_back(order[i].second);
    return values;
  }

  /// The value with the most votes, and how many it has; not of an empty one.
  std::pair<Index, Index> winner() const {
    const Index value = winners(1).front();
    return {value, m_counts.at(value)};
  }

 private:
  std::map<Index, Index> m_counts;
};

}  // namespace vqscope
