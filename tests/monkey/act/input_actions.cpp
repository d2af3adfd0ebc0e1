// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/input_actions.h"

#include "tests/monkey/act/texts.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <array>

namespace vqscope::monkey {
namespace {

Qt::KeyboardModifiers someModifiers(Chance& chance) {
  Qt::KeyboardModifiers modifiers;
  for (const auto each : {Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier})
    if (chance.in(12)) modifiers |= each;
  return modifiers;
}

QString at(const Spot& spot) { return QStringLiteral("%1,%2 %3").arg(spot.at.x()).arg(spot.at.y()).arg(spot.what); }

bool isEditor(const QWidget* widget) {
  if (!widget->isEnabled()) return false;
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) return !line->isReadOnly();
  if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
  return qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

QString textFor(const QWidget* editor, Chance& chance) {
  if (qobject_cast<const QPlainTextEdit*>(editor) && chance.in(85)) return maskText(chance);
  return chance.in(80) ? numberText(chance) : anyText(chance);
}

/// Long texts are pasted, as by a person.
void enter(Hands& hands, const QString& text) {
  if (text.size() < 60 && hands.chance.in(70)) return hands.input.type(text);
  QGuiApplication::clipboard()->setText(text);
  hands.input.keys(QKeySequence(QKeySequence::Paste));
}

}  // namespace

void moveMouse(Hands& hands) {
  const Spot spot = somewhere(frontWidget(hands.chance), hands.chance);
  if (!spot.window) return;
  hands.log(QStringLiteral("move %1").arg(at(spot)));
  hands.input.moveTo(spot.window, spot.at);
}

void clickSomewhere(Hands& hands) { clickOn(hands, somewhere(frontWidget(hands.chance), hands.chance)); }

void rightClick(Hands& hands) {
  const auto button = hands.chance.in(85) ? Qt::RightButton : Qt::MiddleButton;
  clickOn(hands, somewhere(frontWidget(hands.chance), hands.chance), button);
}

void doubleClick(Hands& hands) {
  const Spot spot = somewhere(frontWidget(hands.chance), hands.chance);
  clickOn(hands, spot);
  hands.input.click();  // a moment later, in the same place
}

void dragMouse(Hands& hands) {
  QWidget* front = frontWidget(hands.chance);
  const Spot from = somewhere(front, hands.chance);
  if (!from.window) return;
  const QPointer<QWidget> stays = front;
  const auto modifiers = someModifiers(hands.chance);
  hands.log(QStringLiteral("drag from %1").arg(at(from)));
  hands.input.rest();
  hands.input.moveTo(from.window, from.at);
  hands.input.press(hands.chance.in(90) ? Qt::LeftButton : Qt::RightButton, modifiers);
  QPoint place = from.at;
  for (int i = hands.chance.between(1, 6); i > 0 && stays && stays->windowHandle(); --i) {
    place += QPoint(hands.chance.between(-120, 120), hands.chance.between(-120, 120));
    hands.input.moveTo(stays->windowHandle(), place);
  }
  hands.input.release();
}

void holdMouse(Hands& hands) {
  if (hands.input.isPressed()) {
    hands.log(QStringLiteral("release"));
    return hands.input.release();
  }
  const Spot spot = somewhere(frontWidget(hands.chance), hands.chance);
  if (!spot.window) return;
  hands.log(QStringLiteral("hold %1").arg(at(spot)));
  hands.input.rest();
  hands.input.moveTo(spot.window, spot.at);
  hands.input.press(Qt::LeftButton, someModifiers(hands.chance));
}

void turnWheel(Hands& hands) {
  const Spot spot = somewhere(frontWidget(hands.chance), hands.chance);
  if (!spot.window) return;
  const int steps = hands.chance.between(1, 4) * (hands.chance.in(50) ? 1 : -1);
  const auto modifiers = someModifiers(hands.chance);
  hands.log(QStringLiteral("wheel %1 at %2").arg(steps).arg(at(spot)));
  hands.input.moveTo(spot.window, spot.at);
  // A notch is 120 units of angle; touchpads give less at a time, and to the sides.
  const int angle = hands.chance.in(70) ? 120 * steps : hands.chance.between(-30, 30);
  const bool sideways = hands.chance.in(10);
  const QPoint turn = sideways ? QPoint(angle, 0) : QPoint(0, angle);
  for (int i = hands.chance.between(1, 8); i > 0; --i) hands.input.wheel(turn, modifiers);
}

void pressKey(Hands& hands) {
  static constexpr std::array keys{
      Qt::Key_Tab,  Qt::Key_Tab,   Qt::Key_Backtab, Qt::Key_Escape, Qt::Key_Return,   Qt::Key_Enter,  Qt::Key_Space,
      Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,      Qt::Key_Down,   Qt::Key_Home,     Qt::Key_End,    Qt::Key_PageUp,
      Qt::Key_Plus, Qt::Key_Minus, Qt::Key_F,       Qt::Key_G,      Qt::Key_PageDown, Qt::Key_Delete, Qt::Key_Backspace,
      Qt::Key_F1,   Qt::Key_F2,    Qt::Key_F4,      Qt::Key_F7,     Qt::Key_F8,       Qt::Key_F9,     Qt::Key_F10,
      Qt::Key_Menu, Qt::Key_D,     Qt::Key_A,       Qt::Key_V};
  const auto key = hands.chance.of(keys);
  const QKeyCombination keysPressed(someModifiers(hands.chance), key);
  const int times = hands.chance.in(20) ? hands.chance.between(2, 10) : 1;
  hands.log(QStringLiteral("key %1 x %2 at %3")
                .arg(QKeySequence(keysPressed).toString())
                .arg(times)
                .arg(describe(QApplication::focusWidget())));
  for (int i = 0; i < times; ++i) hands.input.keys(QKeySequence(keysPressed));
}

void useShortcut(Hands& hands) {
  QList<QKeySequence> shortcuts;
  for (const auto* action : hands.window.findChildren<QAction*>()) shortcuts << action->shortcuts();
  if (shortcuts.isEmpty()) return;
  const QKeySequence keys = hands.chance.of(shortcuts);
  hands.log(QStringLiteral("shortcut %1").arg(keys.toString()));
  hands.input.keys(keys);
}

void typeSomething(Hands& hands) {
  const QWidget* focus = QApplication::focusWidget();
  const QString text = focus ? textFor(focus, hands.chance).left(300) : numberText(hands.chance);
  hands.log(QStringLiteral("type %1 at %2").arg(shown(text), describe(focus)));
  enter(hands, text);
}

void fillEditor(Hands& hands) {
  QWidget* top = frontWidget(hands.chance);
  QWidget* editor = top ? someWidget(top, hands.chance, isEditor) : nullptr;
  if (!editor) return clickSomewhere(hands);
  const QString text = textFor(editor, hands.chance);
  clickOn(hands, centreOf(editor));
  hands.log(QStringLiteral("fill with %1").arg(shown(text)));
  if (hands.chance.in(85)) hands.input.keys(QKeySequence(QKeySequence::SelectAll));
  enter(hands, text);
  static constexpr std::array ends{Qt::Key_Return, Qt::Key_Return, Qt::Key_Tab, Qt::Key_Escape, Qt::Key_unknown};
  if (const auto end = hands.chance.of(ends); end != Qt::Key_unknown) {
    hands.log(QStringLiteral("then %1").arg(QKeySequence(end).toString()));
    hands.input.key(end);
  }
}

void pasteText(Hands& hands) {
  const QString text = anyText(hands.chance);
  if (hands.chance.in(10)) {
    hands.log(QStringLiteral("paste a picture"));
    QGuiApplication::clipboard()->setImage(QImage(8, 8, QImage::Format_RGB32));
    return hands.input.keys(QKeySequence(QKeySequence::Paste));
  }
  hands.log(QStringLiteral("paste %1 at %2").arg(shown(text), describe(QApplication::focusWidget())));
  QGuiApplication::clipboard()->setText(text);
  hands.input.keys(QKeySequence(QKeySequence::Paste));
}

}  // namespace vqscope::monkey
