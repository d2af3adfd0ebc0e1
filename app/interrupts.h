// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace vqscope {

/// While it lives, Ctrl-C and a request to terminate stop the work through a token instead of killing the program:
/// what is half written is then cleaned up. Who asks a second time is obeyed at once. Made before any other thread,
/// which inherits the blocked signals.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  std::stop_token token() const { return m_source.get_token(); }

 private:
  sigset_t m_before;
  std::stop_source m_source;
  std::atomic<bool> m_over = false;
  std::jthread m_waiter;
};

}  // namespace vqscope
