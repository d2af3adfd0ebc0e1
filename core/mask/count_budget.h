// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <atomic>
#include <limits>
#include <stop_token>

namespace vqscope {

/// What counting cells may still take, in steps of about a nanosecond. Threads share it.
struct CountBudget {
  std::atomic<Index> left = std::numeric_limits<Index>::max();
  std::stop_token stop;

  /// False once it is spent or a stop is requested.
  bool spend(Index steps) {
    return left.fetch_sub(steps, std::memory_order_relaxed) >= steps && !stop.stop_requested();
  }
};

}  // namespace vqscope
