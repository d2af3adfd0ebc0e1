// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/capture_watch.h"

#include "widgets/parts/text.h"

#include <QFileInfo>

namespace vqscope {
namespace {

constexpr int betweenCaptureLooks = 300;  // milliseconds

}  // namespace

CaptureWatch::CaptureWatch(std::shared_ptr<const Capture> shown, QObject* parent)
    : QObject(parent), m_shown(std::move(shown)), m_folder(std::make_shared<WatchedFolder>(m_shown->path)) {
  m_clock.start();
  m_looks.setInterval(betweenCaptureLooks);
  connect(&m_looks, &QTimer::timeout, this, [this] { look(0); });
  if (!m_shown->is_whole && QFileInfo(textOfBytes(m_shown->path)).isDir()) m_looks.start();
}

void CaptureWatch::lookNow() { look(WatchTimes().settled); }

std::shared_ptr<const Capture> CaptureWatch::after(const Capture& shown) {
  auto next = Capture::open(shown.path);
  if (!next) return nullptr;
  if (!next->is_whole && next->step > shown.step && next->steps.size() > 1)
    next = Capture::open(shown.path, next->steps[next->steps.size() - 2]);
  if (!next || next->step < shown.step) return nullptr;
  const bool same = next->step == shown.step && next->steps == shown.steps && next->is_whole == shown.is_whole &&
                    next->layers.size() == shown.layers.size();
  return same ? nullptr : std::make_shared<const Capture>(std::move(*next));
}

/// Heads of files are read only when something has arrived.
void CaptureWatch::look(Index ahead) {
  if (m_work.isBusy()) return;
  const Index now = m_clock.elapsed() + m_ahead;
  m_ahead += ahead;
  m_work.run<std::shared_ptr<const Capture>>(
      [folder = m_folder, shown = m_shown, now, ahead](const std::stop_token&) -> std::shared_ptr<const Capture> {
        const auto first = folder->look(now);
        const auto later = folder->look(now + ahead);
        const bool arrived = first && later && !(first->empty() && later->empty());
        return arrived ? after(*shown) : nullptr;
      },
      [this](const std::shared_ptr<const Capture>& next) { take(next); });
}

void CaptureWatch::take(const std::shared_ptr<const Capture>& next) {
  if (!next) return;
  m_shown = next;
  if (m_shown->is_whole) m_looks.stop();
  emit captureGrew(m_shown);
}

}  // namespace vqscope
