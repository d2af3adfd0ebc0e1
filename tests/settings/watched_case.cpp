// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/watched_case.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vqscope::settings {
namespace {

/// The current case, for a signal handler.
std::array<char, 8192> tried{};

extern "C" void report_crash(int number) {
  constexpr char crashed[] = "CRASHED: ";
  (void)!write(STDOUT_FILENO, crashed, sizeof crashed - 1);
  (void)!write(STDOUT_FILENO, tried.data(), strnlen(tried.data(), tried.size()));
  (void)!write(STDOUT_FILENO, "\n", 1);
  std::signal(number, SIG_DFL);
  raise(number);
}

void note_tried(const std::string& what) {
  const std::size_t length = std::min(what.size(), tried.size() - 1);
  std::copy_n(what.begin(), length, tried.begin());
  tried[length] = 0;
}

}  // namespace

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Watchdog::Watchdog(double idle_timeout) : m_idleTimeout(idle_timeout) {
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS}) std::signal(number, report_crash);
  m_thread = std::jthread([this](const std::stop_token& over) { watch(over); });
}

std::stop_token Watchdog::start(double seconds, bool processor, std::string what) {
  const std::lock_guard lock(m_mutex);
  m_source = {};
  note_tried(what);
  m_what = std::move(what);
  m_running = true;
  m_by_processor = processor;
  m_limit = seconds;
  m_began = now_seconds();
  m_began_processor = processor_seconds();
  m_stopped.reset();
  m_changed.notify_all();
  return m_source.get_token();
}

Watchdog::Watched Watchdog::finish() {
  const std::lock_guard lock(m_mutex);
  const double now = now_seconds();
  const double processor = processor_seconds();
  m_running = false;
  m_changed.notify_all();
  Watched watched{.seconds = now - m_began, .processor = processor - m_began_processor, .stop_seconds = {}};
  if (!m_stopped) return watched;
  watched.stop_seconds = now - *m_stopped;
  watched.reported_processor = processor - m_stopped_processor;
  return watched;
}

/// Seconds that are left before the next thing to do; processor time is looked at now and then.
double Watchdog::left() const {
  if (m_stopped) return *m_stopped + m_idleTimeout - now_seconds();
  if (!m_by_processor) return m_began + m_limit - now_seconds();
  return std::min(m_began_processor + m_limit - processor_seconds(), 0.05);
}

void Watchdog::watch(const std::stop_token& over) {
  std::unique_lock lock(m_mutex);
  while (!over.stop_requested()) {
    if (!m_running) {
      m_changed.wait(lock, over, [&] { return m_running; });
    } else if (const double some = left(); some > 0) {
      m_changed.wait_for(lock, over, std::chrono::duration<double>(some),
                         [&, began = m_began] { return !m_running || m_began != began; });
    } else if (!m_stopped) {
      m_stopped = now_seconds();
      m_stopped_processor = processor_seconds();
      m_source.request_stop();
    } else {
      std::printf("FAILED, no end %.0f s after a stop: %s\n", m_idleTimeout, m_what.c_str());
      std::fflush(stdout);
      std::_Exit(3);
    }
  }
}

}  // namespace vqscope::settings
