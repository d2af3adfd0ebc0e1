// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>

namespace vqscope::test {

inline void wheel(QWidget* widget, QPointF at, int notches) {
  QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
  QApplication::sendEvent(widget, &event);
}

/// Sent straight to the widget: the window may be larger than the screen of the tests.
inline void moveMouse(QWidget* widget, QPoint to, Qt::MouseButtons held = Qt::NoButton,
                      Qt::KeyboardModifiers keys = Qt::NoModifier) {
  QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, held, keys);
  QApplication::sendEvent(widget, &event);
}

inline void drag(QWidget* widget, QPoint from, QPoint to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
  QTest::mousePress(widget, Qt::LeftButton, keys, from);
  for (int step = 1; step <= 10; ++step) moveMouse(widget, from + (to - from) * step / 10, Qt::LeftButton, keys);
  QTest::mouseRelease(widget, Qt::LeftButton, keys, to);
}

}  // namespace vqscope::test
