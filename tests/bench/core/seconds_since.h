// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace vqscope::bench {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace vqscope::bench
