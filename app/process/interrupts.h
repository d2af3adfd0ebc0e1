// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace vqscope {

/// While it lives, Ctrl-C and a request to terminate stop the work through a token instead of killing the program:
/// what is half written is then cleaned up. Work that has not heard it when `patience` is over is left as it is and the
/// process ends, as it does where a person asks twice: files have no names before they are whole. Made before any other
/// thread, which inherits the blocked signals.
class Interrupts {
 public:
  static constexpr std::chrono::milliseconds until_heard{60};

  explicit Interrupts(std::optional<std::chrono::milliseconds> patience = until_heard);
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  std::stop_token token() const { return m_source.get_token(); }

 private:
  void wait(const sigset_t& set, std::optional<std::chrono::milliseconds> patience);

  sigset_t m_before;
  std::stop_source m_source;
  std::atomic<bool> m_over = false;
  std::jthread m_waiter;
};

}  // namespace vqscope
