// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/eliding_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QToolTip>

namespace vqscope {

ElidingLabel::ElidingLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), m_mode(mode) {
  setTextFormat(Qt::PlainText);
}

bool ElidingLabel::isCut() const {
  return fontMetrics().horizontalAdvance(shownText()) > contentsRect().width() || shownText() != text();
}

QSize ElidingLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth(), QLabel::minimumSizeHint().height()};
}

/// A tooltip of its own comes after the text that is cut.
bool ElidingLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !isCut()) return QLabel::event(event);
  const QString own = toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                     own.isEmpty() ? text() : text() + QStringLiteral("\n") + own, this);
  return true;
}

void ElidingLabel::paintEvent(QPaintEvent*) {
  QStyleOption option;
  option.initFrom(this);
  QPainter painter(this);
  style()->drawPrimitive(QStyle::PE_Widget, &option, &painter, this);
  const QRect inside = contentsRect();
  style()->drawItemText(&painter, inside, static_cast<int>(alignment()), palette(), isEnabled(),
                        fontMetrics().elidedText(shownText(), m_mode, inside.width()), foregroundRole());
}

}  // namespace vqscope
