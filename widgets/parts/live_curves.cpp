// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/live_curves.h"

#include <utility>

namespace vqscope {
namespace {

/// Least fraction of the work that a forecast is made from.
constexpr double leastFraction = 0.005;
constexpr std::chrono::milliseconds betweenReports(100);

}  // namespace

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

Work LiveCurves::work(std::function<void(const CurveSet&)> partial) {
  return {.progress =
              [this](double fraction) {
                report(fraction);
                m_gate.pass(m_enough.get_token());
              },
          .stop = m_enough.get_token(),
          .partial =
              [this, partial = std::move(partial)](const CurveSet& newest) {
                if (partial) partial(newest);
                put(newest);
              },
          .trained =
              [this](const TrainingProgress& update) {
                const double now = seconds();
                m_trainings.add(update, now);
                const std::lock_guard lock(m_mutex);
                if (!m_trained) m_trained = {m_fraction, now};
              },
          .phase =
              [this](const std::string& words) {
                const std::lock_guard lock(m_mutex);
                m_phase = words;
              }};
}

void LiveCurves::report(double fraction) {
  const std::lock_guard lock(m_mutex);
  m_fraction = fraction;
}

void LiveCurves::put(CurveSet curves) {
  for (auto& curve : curves.curves) curve.y.resize(curves.x.size(), no_value);
  const std::lock_guard lock(m_mutex);
  m_newest = std::move(curves);
}

std::optional<CurveSet> LiveCurves::take() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_newest, std::nullopt);
}

int LiveCurves::percent() const {
  const std::lock_guard lock(m_mutex);
  return static_cast<int>(100 * m_fraction);
}

std::string LiveCurves::phase() const {
  const std::lock_guard lock(m_mutex);
  return m_phase;
}

void LiveCurves::end(std::shared_ptr<const CurveSet> whole) {
  const double all = seconds();
  {
    const std::lock_guard lock(m_mutex);
    if (m_seconds) return;
    m_seconds = all;
    m_whole = std::move(whole);
  }
  m_ended.notify_all();
}

std::shared_ptr<const CurveSet> LiveCurves::await(const Work& work) {
  std::unique_lock lock(m_mutex);
  while (!m_seconds && !work.stop.stop_requested()) {
    const double fraction = m_fraction;
    lock.unlock();
    m_gate.open();
    work.report(fraction);
    lock.lock();
    m_ended.wait_for(lock, work.stop, betweenReports, [this] { return m_seconds.has_value(); });
  }
  return m_whole;
}

double LiveCurves::seconds() const {
  {
    const std::lock_guard lock(m_mutex);
    if (m_seconds) return *m_seconds;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count() - m_gate.closedSeconds();
}

std::optional<double> LiveCurves::remaining() const {
  const double now = seconds();
  const std::lock_guard lock(m_mutex);
  if (!m_trained || m_fraction - m_trained->first < leastFraction) return std::nullopt;
  return (1 - m_fraction) * (now - m_trained->second) / (m_fraction - m_trained->first);
}

void LiveCurves::setPaused(bool paused) {
  if (paused)
    m_gate.close();
  else
    m_gate.open();
}

}  // namespace vqscope
