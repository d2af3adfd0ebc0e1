// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/play_button.h"

#include "widgets/theme/icons.h"

#include <QHideEvent>

namespace vqscope {
namespace {

constexpr int stepMilliseconds = 150;

}  // namespace

PlayButton::PlayButton(const QString& title, QWidget* parent) : QToolButton(parent), m_title(title) {
  setAutoRaise(true);
  setFocusPolicy(Qt::StrongFocus);
  m_timer.setInterval(stepMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &PlayButton::stepped);
  connect(this, &QToolButton::clicked, this, [this] { isPlaying() ? stop() : start(); });
  showState();
}

void PlayButton::start() {
  m_timer.start();
  showState();
  emit started();
}

void PlayButton::stop() {
  if (!isPlaying()) return;
  m_timer.stop();
  showState();
  emit stopped();
}

void PlayButton::showState() {
  setIcon(vqscope::icon(isPlaying() ? "pause" : "play"));
  const QString tip = isPlaying() ? tr("Pause %1").arg(m_title) : tr("Play %1 up to its maximum").arg(m_title);
  setToolTip(tip);
  setAccessibleName(tip);
}

void PlayButton::hideEvent(QHideEvent* event) {
  QToolButton::hideEvent(event);
  if (!event->spontaneous()) stop();
}

}  // namespace vqscope
