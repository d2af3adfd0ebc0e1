// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/gate.h"

namespace vqscope {

void Gate::close() {
  const std::lock_guard lock(m_mutex);
  if (m_closed) return;
  m_closed = true;
  m_since = Clock::now();
}

void Gate::open() {
  {
    const std::lock_guard lock(m_mutex);
    if (!m_closed) return;
    m_seconds += secondsSinceClosed();
    m_closed = false;
  }
  m_opened.notify_all();
}

bool Gate::isClosed() const {
  const std::lock_guard lock(m_mutex);
  return m_closed;
}

void Gate::pass(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  m_opened.wait(lock, stop, [this] { return !m_closed; });
}

double Gate::secondsSinceClosed() const { return std::chrono::duration<double>(Clock::now() - m_since).count(); }

double Gate::closedSeconds() const {
  const std::lock_guard lock(m_mutex);
  return m_seconds + (m_closed ? secondsSinceClosed() : 0);
}

}  // namespace vqscope
