// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/input.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>

namespace vqscope::monkey {

void Input::mouse(QEvent::Type type, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  if (!m_window) return;
  m_now += 40;
  qt_handleMouseEvent(m_window, m_place, m_window->mapToGlobal(m_place), m_buttons, button, type, modifiers, m_now);
}

void Input::moveTo(QWindow* window, QPoint place) {
  // A button that is held keeps its events with the window where it was pressed.
  m_place = isPressed() && m_window ? m_window->mapFromGlobal(window->mapToGlobal(place)) : place;
  if (!isPressed() || !m_window) m_window = window;
  mouse(QEvent::MouseMove, Qt::NoButton, {});
}

void Input::press(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  if (isPressed()) release();
  if (!m_window) return;
  m_buttons = button;
  mouse(QEvent::MouseButtonPress, button, modifiers);
}

void Input::release() {
  for (const auto button : {Qt::LeftButton, Qt::RightButton, Qt::MiddleButton}) {
    if (!m_buttons.testFlag(button)) continue;
    m_buttons = {};
    mouse(QEvent::MouseButtonRelease, button, {});
  }
}

void Input::click(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  press(button, modifiers);
  release();
}

void Input::wheel(QPoint angle, Qt::KeyboardModifiers modifiers) {
  if (!m_window) return;
  QWheelEvent event(m_place, m_window->mapToGlobal(m_place), {}, angle, m_buttons, modifiers, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(m_window, &event);
}

void Input::key(QKeyCombination keys, const QString& text) {
  QPointer<QWindow> window = QGuiApplication::focusWindow();
  if (!window) return;
  const int code = keys.key();
  qt_handleKeyEvent(window, QEvent::KeyPress, code, keys.keyboardModifiers(), text);
  if (window) qt_handleKeyEvent(window, QEvent::KeyRelease, code, keys.keyboardModifiers(), text);
}

void Input::keys(const QKeySequence& sequence) {
  for (int i = 0; i < sequence.count(); ++i) {
    const QKeyCombination each = sequence[static_cast<uint>(i)];
    const bool plain = each.keyboardModifiers() == Qt::NoModifier && each.key() >= Qt::Key_Space && each.key() < 128;
    key(each, plain ? QString(QChar(each.key())).toLower() : QString());
  }
}

void Input::type(const QString& text) {
  for (const QChar each : text) {
    if (each == QLatin1Char('\n'))
      key(Qt::Key_Return, QStringLiteral("\r"));
    else if (each.unicode() < 128)
      key(QKeyCombination(each.isUpper() ? Qt::ShiftModifier : Qt::NoModifier,
                          static_cast<Qt::Key>(QTest::asciiToKey(each.toLatin1()))),
          QString(each));
    else
      key(Qt::Key_unknown, QString(each));
  }
}

}  // namespace vqscope::monkey
