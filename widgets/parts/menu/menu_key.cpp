// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/menu/menu_key.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QWidget>

namespace vqscope {

MenuKey::MenuKey(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool MenuKey::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || watched != QApplication::focusWidget()) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() != Qt::Key_F10 || key->modifiers() != Qt::ShiftModifier) return false;
  auto* widget = static_cast<QWidget*>(watched);
  const QPoint at = widget->rect().center();
  QContextMenuEvent menu(QContextMenuEvent::Keyboard, at, widget->mapToGlobal(at));
  QCoreApplication::sendEvent(widget, &menu);
  return true;
}

}  // namespace vqscope
