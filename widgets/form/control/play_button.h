// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QToolButton>

namespace vqscope {

/// Starts and stops playing: a step at regular intervals, until it is stopped.
class PlayButton : public QToolButton {
  Q_OBJECT
 public:
  /// `title`: of the parameter to play.
  PlayButton(const QString& title, QWidget* parent);

  bool isPlaying() const { return m_timer.isActive(); }
  void stop();
  /// Milliseconds between steps.
  void setInterval(int milliseconds) { m_timer.setInterval(milliseconds); }

 signals:
  void started();
  void stepped();
  void stopped();

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  void start();
  void showState();

  QTimer m_timer;
  QString m_title;
};

}  // namespace vqscope
