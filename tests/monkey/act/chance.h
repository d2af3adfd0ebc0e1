// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/random.h"

#include <QString>

#include <cstddef>

namespace vqscope::monkey {

/// Random decisions by the seed.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : m_random(seed * 0x2545f4914f6cdd1dU + 1) {}

  /// From 0 to `count` - 1.
  int below(int count) { return static_cast<int>(m_random.bits() % static_cast<std::uint64_t>(count)); }
  int between(int first, int last) { return first + below(last - first + 1); }
  Index index(Index count) { return static_cast<Index>(m_random.bits() % static_cast<std::uint64_t>(count)); }
  /// True in `percent` of 100.
  bool in(int percent) { return below(100) < percent; }

  template <class List>
  auto& of(List& list) {
    return list[static_cast<decltype(list.size())>(below(static_cast<int>(list.size())))];
  }

 private:
  SeededRandom m_random;
};

}  // namespace vqscope::monkey
