// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/keyed_view.h"

#include "widgets/theme/palette.h"

#include <QContextMenuEvent>
#include <QPainter>

namespace vqscope {

KeyedView::KeyedView(QWidget* parent) : QWidget(parent) { setFocusPolicy(Qt::StrongFocus); }

bool KeyedView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ContextMenu) return QWidget::eventFilter(watched, event);
  // QCustomPlot keeps the event from its parents.
  const auto* menuEvent = static_cast<QContextMenuEvent*>(event);
  QContextMenuEvent own(menuEvent->reason(), static_cast<QWidget*>(watched)->mapTo(this, menuEvent->pos()),
                        menuEvent->globalPos());
  contextMenuEvent(&own);
  return true;
}

void KeyedView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void KeyedView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void KeyedView::paintEvent(QPaintEvent*) {
  if (!hasFocus()) return;
  QPainter painter(this);
  painter.fillRect(QRect(0, 0, width(), focusLine), currentPalette().accent);
}

}  // namespace vqscope
