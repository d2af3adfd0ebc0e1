// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace vqscope {

/// Calls body(i) for every i of [0, count), on up to `threads` threads, the caller's among them. Items are handed
/// out one at a time, so uneven items balance; body must not throw.
template <class Body>
void parallel_for(Index count, int threads, const Body& body) {
  std::atomic<Index> next{0};
  const auto work = [&] {
    for (Index i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::jthread> helpers;
  for (Index t = 1; t < std::min<Index>(threads, count); ++t) helpers.emplace_back(work);
  work();
}

}  // namespace vqscope
