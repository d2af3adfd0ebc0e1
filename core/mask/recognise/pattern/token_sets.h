// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace vqscope {

/// Disjoint sets of tokens that are joined one by one, or all of a range at once.
class TokenSets {
 public:
  explicit TokenSets(Index tokens)
      : m_parent(static_cast<std::size_t>(tokens)), m_joins(static_cast<std::size_t>(tokens + 1)) {
    std::iota(m_parent.begin(), m_parent.end(), Index{0});
  }

  void join(Index a, Index b) {
    a = root(a);
    b = root(b);
    if (a != b) at(m_parent, std::max(a, b)) = std::min(a, b);
  }

  /// The token and all tokens of the range.
  void join(Index token, Range range) {
    join(token, range.begin);
    ++at(m_joins, range.begin);
    --at(m_joins, range.end - 1);
  }

  /// Sets of at least `least` tokens by number, in the order of their first tokens; -1 for the
  /// others.
  std::vector<Index> numbers(Index least) {
    Index joined = 0;
    for (Index token = 0; token + 1 < size(); ++token) {
      joined += at(m_joins, token);
      if (joined > 0) join(token, token + 1);
    }
    std::vector<Index> sizes(m_parent.size());
    for (Index token = 0; token < size(); ++token) ++at(sizes, root(token));
    std::vector<Index> numbers(m_parent.size(), -1);
    Index next = 0;
    for (Index token = 0; token < size(); ++token) {
      const Index first = root(token);
      if (at(sizes, first) < least) continue;
      at(numbers, token) = first == token ? next++ : at(numbers, first);
    }
    return numbers;
  }

 private:
  static Index& at(std::vector<Index>& values, Index token) { return values[static_cast<std::size_t>(token)]; }
  Index size() const { return static_cast<Index>(m_parent.size()); }

  /// The first token of a set is its root.
  Index root(Index token) {
    while (at(m_parent, token) != token) token = at(m_parent, token) = at(m_parent, at(m_parent, token));
    return token;
  }

  std::vector<Index> m_parent;
  std::vector<Index> m_joins;  ///< how many more ranges join a token with the next one than the token before
};

}  // namespace vqscope
