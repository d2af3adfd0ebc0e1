// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace vqscope {

/// Seconds of a call: the best of three, or of fewer where they take long.
template <class Call>
double seconds_of(const Work& work, const Call& call) {
  constexpr double enough = 0.05;
  double best = std::numeric_limits<double>::infinity();
  double all = 0;
  for (int i = 0; i < 3 && all < enough && !work.stop.stop_requested(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
    all += taken.count();
  }
  return best;
}

/// "Xeon Gold 6248, kernels avx2, 2 cores": what measured times depend on.
std::string machine_text();

}  // namespace vqscope
