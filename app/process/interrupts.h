// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace vqscope {

/// While an object of this class exists, Ctrl-C and SIGTERM stop the work through a token instead
/// of killing the program, so that unfinished files are removed. The process ends if the work does
/// not stop within `idle_timeout`, or at a second signal; no unfinished file has a name then.
/// Construct it before any other thread, which inherits the blocked signals.
class Interrupts {
 public:
  static constexpr std::chrono::milliseconds until_cancelled{60};
  /// Time for work that still writes its partial results when stopped.
  static constexpr std::chrono::milliseconds until_written{5000};

  explicit Interrupts(std::optional<std::chrono::milliseconds> idle_timeout = until_cancelled);
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  std::stop_token token() const { return m_source.get_token(); }

 private:
  void wait(const sigset_t& set, std::optional<std::chrono::milliseconds> idle_timeout);

  sigset_t m_before;
  std::stop_source m_source;
  std::atomic<bool> m_over = false;
  std::jthread m_waiter;
};

/// Waits for so long, or until the stop.
void sleepUnless(const std::stop_token& stop, std::chrono::milliseconds duration);

}  // namespace vqscope
