// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/keyed_view.h"

#include "widgets/theme/palette.h"

#include <QPainter>

namespace vqscope {

KeyedView::KeyedView(QWidget* parent) : QWidget(parent) { setFocusPolicy(Qt::StrongFocus); }

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
