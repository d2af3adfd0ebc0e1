// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/focus_guard.h"

#include <QApplication>
#include <QEvent>
#include <QTimer>
#include <QWidget>

namespace vqscope {
namespace {

bool isHiddenFocus() {
  const QWidget* focus = QApplication::focusWidget();
  return focus && !focus->isVisible();
}

void leaveHidden() {
  if (isHiddenFocus()) QApplication::focusWidget()->clearFocus();
}

}  // namespace

FocusGuard::FocusGuard(QObject* parent) : QObject(parent) {
  connect(qApp, &QApplication::focusChanged, this, &leaveHidden);
  qApp->installEventFilter(this);
}

bool FocusGuard::eventFilter(QObject*, QEvent* event) {
  // After the event, because Qt may still move the focus.
  if (event->type() == QEvent::Hide && isHiddenFocus()) QTimer::singleShot(0, this, &leaveHidden);
  return false;
}

}  // namespace vqscope
