// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace vqscope {

/// Where a computation waits while it is paused. Any thread.
class Gate {
 public:
  void close();
  void open();
  bool isClosed() const;

  /// Returns when the gate is open, or at a stop.
  void pass(const std::stop_token& stop);

  /// The time that it has been closed, in all.
  double closedSeconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  double secondsSinceClosed() const;

  mutable std::mutex m_mutex;
  std::condition_variable_any m_opened;
  bool m_closed = false;
  Clock::time_point m_since;  ///< closed
  double m_seconds = 0;       ///< of former times
};

}  // namespace vqscope
