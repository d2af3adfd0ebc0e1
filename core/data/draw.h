// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/random.h"

#include <cassert>

namespace vqscope {

/// A whole number from 0 to n - 1 from the upper half of one bits(): (next32 · n) >> 32. n is at
/// most 2^32.
inline Index below(SeededRandom& random, Index n) {
  assert(0 < n && n <= Index{1} << 32);
  return static_cast<Index>(((random.bits() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
}

/// A generator for one purpose: similar seeds give unrelated streams.
inline SeededRandom stream_of(std::uint64_t seed, std::uint64_t purpose) {
  return SeededRandom(SeededRandom(seed).bits() ^ purpose);
}

}  // namespace vqscope
