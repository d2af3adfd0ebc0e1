// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace vqscope {

/// Measures time from its construction on.
class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

}  // namespace vqscope
