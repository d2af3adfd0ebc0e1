// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/field_scheduler.h"

#include <QThread>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// How long work may hold up a newer request: two frames of a 60 Hz screen, or twice what the last work took, so that
/// slow pictures are shown at all while a slider is dragged; but no longer than a person notices as a stall.
constexpr qint64 leastPatience = 33;
constexpr qint64 mostPatience = 400;

}  // namespace

FieldScheduler::FieldScheduler(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_patience.setSingleShot(true);
  connect(&m_patience, &QTimer::timeout, this, [this] { m_stop.request_stop(); });
}

FieldScheduler::~FieldScheduler() {
  m_stop.request_stop();
  m_pool.waitForDone();
}

int FieldScheduler::threads() { return std::clamp(QThread::idealThreadCount() - 1, 2, 8); }

void FieldScheduler::start(Job job) {
  if (!m_running) return launch(std::move(job));
  m_waiting = std::move(job);
  if (!m_patience.isActive())
    m_patience.start(static_cast<int>(std::clamp(2 * m_lastDuration, leastPatience, mostPatience)));
}

void FieldScheduler::launch(Job job) {
  m_running = true;
  m_clock.start();
  m_stop = {};
  m_pool.start([this, job = std::move(job), stop = m_stop.get_token()] {
    auto deliver = job(stop);
    QMetaObject::invokeMethod(
        this, [this, deliver = std::move(deliver), stop] { finish(deliver, stop); }, Qt::QueuedConnection);
  });
}

void FieldScheduler::finish(const Delivery& deliver, const std::stop_token& stop) {
  m_running = false;
  m_patience.stop();
  // What had to be stopped needs more time than it was given.
  m_lastDuration = m_clock.elapsed();
  if (m_waiting) launch(std::exchange(m_waiting, {}));
  if (!stop.stop_requested()) deliver();
}

}  // namespace vqscope
