// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/watched_case.h"

#include <cstdio>
#include <cstdlib>

namespace vqscope::settings {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::stop_token Watchdog::start(double seconds, std::string what) {
  const std::lock_guard lock(m_mutex);
  m_source = {};
  m_what = std::move(what);
  m_running = true;
  m_began = now_seconds();
  m_stop_at = m_began + seconds;
  m_stopped.reset();
  m_changed.notify_all();
  return m_source.get_token();
}

Watchdog::Watched Watchdog::finish() {
  const std::lock_guard lock(m_mutex);
  const double now = now_seconds();
  m_running = false;
  m_changed.notify_all();
  Watched watched{.seconds = now - m_began, .heard = {}};
  if (m_stopped) watched.heard = now - *m_stopped;
  return watched;
}

void Watchdog::watch(const std::stop_token& over) {
  const auto in = [](double seconds) { return std::chrono::duration<double>(seconds); };
  std::unique_lock lock(m_mutex);
  while (!over.stop_requested()) {
    if (!m_running) {
      m_changed.wait(lock, over, [&] { return m_running; });
    } else if (const double left = (m_stopped ? *m_stopped + m_patience : m_stop_at) - now_seconds(); left > 0) {
      m_changed.wait_for(lock, over, in(left), [&, began = m_began] { return !m_running || m_began != began; });
    } else if (!m_stopped) {
      m_stopped = now_seconds();
      m_source.request_stop();
    } else {
      std::printf("FAILED, no end %.0f s after a stop: %s\n", m_patience, m_what.c_str());
      std::fflush(stdout);
      std::_Exit(3);
    }
  }
}

}  // namespace vqscope::settings
