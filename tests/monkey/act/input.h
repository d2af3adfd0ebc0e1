// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QPointer>
#include <QWindow>

namespace vqscope::monkey {

/// Mouse and keyboard as the platform delivers them: to windows, with hovering, grabs, popups and
/// shortcuts. Any call may delete the window that it goes to, or run an event loop.
class Input {
 public:
  void moveTo(QWindow* window, QPoint place);
  void press(Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {});
  void release();
  void click(Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {});
  /// In eighths of a degree.
  void wheel(QPoint angle, Qt::KeyboardModifiers modifiers);
  bool isPressed() const { return m_buttons != Qt::NoButton; }
  QWindow* window() const { return m_window; }

  /// To the window that has the focus.
  void key(QKeyCombination keys, const QString& text = {});
  void keys(const QKeySequence& sequence);
  void type(const QString& text);

  /// So that clicks are no double clicks, unless they are meant to be.
  void rest() { m_now += 1000; }

 private:
  void mouse(QEvent::Type type, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);

  QPointer<QWindow> m_window;
  QPoint m_place;
  Qt::MouseButtons m_buttons;
  int m_now = 1000;  ///< time of the events, in milliseconds
};

}  // namespace vqscope::monkey
