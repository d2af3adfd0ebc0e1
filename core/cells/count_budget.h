// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <atomic>
#include <limits>
#include <stop_token>
#include <string>

namespace vqscope {

/// What one answer about a mask may take at most, in steps of about a nanosecond of one thread.
inline constexpr Index most_steps_of_an_answer = Index{2} << 30;

/// What reading and counting cells may still take, in steps of about a nanosecond. Threads share it.
struct CountBudget {
  std::atomic<Index> left = std::numeric_limits<Index>::max();
  std::stop_token stop;

  /// False once it is spent or a stop is requested.
  bool spend(Index steps) {
    return left.fetch_sub(steps, std::memory_order_relaxed) >= steps && !stop.stop_requested();
  }

  bool is_over() const { return left.load(std::memory_order_relaxed) <= 0 || stop.stop_requested(); }

  /// Of something that cannot be done on any budget.
  void give_up() { left = 0; }

  /// Why it is over: `what` takes too long, or a stop.
  Error error(const std::string& what) const {
    if (stop.stop_requested()) return cancelled();
    return {Errc::too_large, what + " takes too long; use fewer tokens or a mask that can be solved into intervals"};
  }
};

}  // namespace vqscope
