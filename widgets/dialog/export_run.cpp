// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/export_run.h"

#include "widgets/session/field_scheduler.h"

#include <QEvent>
#include <QEventLoop>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int steps = 1000;
constexpr int tickMilliseconds = 50;
constexpr int shownAfterMilliseconds = 200;

}  // namespace

ExportRun::ExportRun(const QString& path, QWidget* parent)
    : m_progress(tr("Writing %1").arg(path), tr("Cancel"), 0, steps, parent) {
  m_progress.setWindowModality(Qt::WindowModal);
  m_progress.setMinimumDuration(shownAfterMilliseconds);
  connect(&m_progress, &QProgressDialog::canceled, &m_progress, [this] { m_stop.request_stop(); });
  connect(&m_ticker, &QTimer::timeout, &m_progress,
          [this] { m_progress.setValue(std::min(steps - 1, static_cast<int>(m_fraction * steps))); });
  m_ticker.start(tickMilliseconds);
  if (parent) parent->window()->installEventFilter(this);
}

Offload ExportRun::offload() {
  return [this](const std::function<void()>& work, WhenStopped whenStopped) { run(work, whenStopped); };
}

void ExportRun::run(const std::function<void()>& work, WhenStopped whenStopped) {
  if (whenStopped == WhenStopped::leave && m_stop.stop_requested()) return;
  QEventLoop loop;
  bool done = false;
  FieldScheduler worker;
  worker.run<bool>(
      [work](std::stop_token) {
        work();
        return true;
      },
      [&](bool) {
        done = true;
        loop.quit();
      });
  const std::stop_callback onStop(token(), [&] {
    if (whenStopped == WhenStopped::leave) loop.quit();
  });
  loop.exec();
  if (done) return;
  m_stop.request_stop();
  if (whenStopped == WhenStopped::wait) worker.stopAndWait();
}

bool ExportRun::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Close) m_stop.request_stop();
  return false;
}

}  // namespace vqscope
