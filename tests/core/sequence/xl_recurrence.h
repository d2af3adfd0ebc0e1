// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/xl_segments.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <vector>

namespace vqscope::test {

/// Which keys a layer sees, [T][T], as pytorch/mem_transformer.py masks them: segment by segment,
/// over the list of tokens that its memory holds then.
inline std::vector<std::vector<bool>> seen_by_recurrence(const XlSegments& s) {
  const auto size = static_cast<std::size_t>(s.length);
  std::vector<std::vector<bool>> seen(size, std::vector<bool>(size, false));
  std::vector<Index> memory;
  for (Index begin = 0; begin < s.length; begin += s.segment_len) {
    const Index q_len = std::min(s.segment_len, s.length - begin);
    const Index m_len = static_cast<Index>(memory.size());
    std::vector<Index> keys = memory;
    for (Index i = 0; i < q_len; ++i) keys.push_back(begin + i);
    const Index too_long = m_len + q_len - s.memory_len;
    const Index shift = too_long > 0 ? q_len - too_long : q_len;
    for (Index i = 0; i < q_len; ++i)
      for (Index j = 0; j < m_len + q_len; ++j) {
        const bool masked = j >= i + 1 + m_len || (s.same_length && j <= i - shift);
        if (!masked)
          seen[static_cast<std::size_t>(begin + i)][static_cast<std::size_t>(keys[static_cast<std::size_t>(j)])] = true;
      }
    const auto kept = std::min<std::size_t>(keys.size(), static_cast<std::size_t>(s.memory_len));
    memory.assign(keys.end() - static_cast<std::ptrdiff_t>(kept), keys.end());
  }
  return seen;
}

/// Inputs that reach each token through `depth` layers, [T][T]: a layer's output at q has all that
/// is known to the layer below at the keys that q sees. With `own` alone hops into the memory are
/// left out, as stop-gradient does.
inline std::vector<std::vector<bool>> reached_by_recurrence(const XlSegments& s, Index depth, bool own) {
  const auto size = static_cast<std::size_t>(s.length);
  const auto seen = seen_by_recurrence(s);
  std::vector<std::vector<bool>> known(size, std::vector<bool>(size, false));
  for (std::size_t q = 0; q < size; ++q) known[q][q] = true;
  for (Index layer = 0; layer < depth; ++layer) {
    std::vector<std::vector<bool>> next(size, std::vector<bool>(size, false));
    for (std::size_t q = 0; q < size; ++q)
      for (std::size_t k = 0; k < size; ++k) {
        const bool same = static_cast<Index>(q) / s.segment_len == static_cast<Index>(k) / s.segment_len;
        if (!seen[q][k] || (own && !same)) continue;
        for (std::size_t input = 0; input < size; ++input) next[q][input] = next[q][input] || known[k][input];
      }
    known = std::move(next);
  }
  return known;
}

/// Small sequences, with memories shorter and longer than a segment.
inline XlSegments random_segments(Random& random, Index longest = 40) {
  XlSegments s;
  s.length = pick(random, 1, longest);
  s.segment_len = pick(random, 1, std::min<Index>(s.length, 12));
  s.same_length = pick(random, 0, 2) == 0;
  s.memory_len = pick(random, s.same_length ? 1 : 0, 20);
  s.layers = pick(random, 1, 6);
  s.clamp_len = pick(random, 0, 1) * pick(random, 1, 20);
  return s;
}

}  // namespace vqscope::test
