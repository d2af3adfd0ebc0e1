// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupts.h"

#include <pthread.h>

#include <cstdlib>

namespace vqscope {
namespace {

sigset_t interruptSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

}  // namespace

Interrupts::Interrupts() {
  // A file that outgrows a limit is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  const sigset_t set = interruptSignals();
  pthread_sigmask(SIG_BLOCK, &set, &m_before);
  m_waiter = std::jthread([this, set] {
    int number = 0;
    sigwait(&set, &number);
    if (m_over) return;
    m_source.request_stop();
    sigwait(&set, &number);
    if (!m_over) std::_Exit(128 + number);
  });
}

Interrupts::~Interrupts() {
  m_over = true;
  pthread_kill(m_waiter.native_handle(), SIGTERM);
  m_waiter.join();
  pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

}  // namespace vqscope
