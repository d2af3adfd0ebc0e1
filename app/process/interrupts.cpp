// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/interrupts.h"

#include "core/io/bytes/whole_file.h"

#include <pthread.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <mutex>

namespace vqscope {
namespace {

sigset_t interruptSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

/// The message of cancelled work; on a terminal, it first erases the progress line.
std::string_view lastWords() {
  return isatty(STDERR_FILENO) == 1 ? "\r\033[Kvqscope: cancelled\n" : "vqscope: cancelled\n";
}

}  // namespace

Interrupts::Interrupts(std::optional<std::chrono::milliseconds> idle_timeout) {
  // A file that outgrows a limit is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  const sigset_t set = interruptSignals();
  pthread_sigmask(SIG_BLOCK, &set, &m_before);
  m_waiter = std::jthread([this, set, idle_timeout] { wait(set, idle_timeout); });
}

void Interrupts::wait(const sigset_t& set, std::optional<std::chrono::milliseconds> idle_timeout) {
  int number = 0;
  sigwait(&set, &number);
  if (m_over) return;
  m_source.request_stop();
  if (!idle_timeout) {
    sigwait(&set, &number);
    if (!m_over) std::_Exit(128 + number);
    return;
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(*idle_timeout);
  const timespec time{seconds.count(), std::chrono::nanoseconds(*idle_timeout - seconds).count()};
  for (;;) {
    const int next = sigtimedwait(&set, nullptr, &time);
    if (m_over) return;
    if (next > 0) std::_Exit(128 + next);
    end_uncommitted(lastWords(), 128 + number);
  }
}

Interrupts::~Interrupts() {
  m_over = true;
  // The waiter blocks the signal and takes it by sigwait: it ends nothing.
  pthread_kill(m_waiter.native_handle(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
  m_waiter.join();
  pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void sleepUnless(const std::stop_token& stop, std::chrono::milliseconds duration) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, duration, [] { return false; });
}

}  // namespace vqscope
