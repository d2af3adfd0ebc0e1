// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/reset_dot.h"

#include "widgets/theme/palette.h"

#include <QPainter>

namespace vqscope {

ResetDot::ResetDot(QWidget* parent) : QAbstractButton(parent) {
  auto policy = QSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  policy.setRetainSizeWhenHidden(true);
  setSizePolicy(policy);
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
  hide();
}

void ResetDot::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  const bool strong = underMouse() || hasFocus();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre(room / 2.0, height() / 2.0);
  painter.setPen(Qt::NoPen);
  if (strong) {
    painter.setBrush(mixed(p.panel, p.accent, 0.35));
    painter.drawEllipse(centre, 5.5, 5.5);
  }
  painter.setBrush(p.accent);
  painter.drawEllipse(centre, 2.6, 2.6);
}

}  // namespace vqscope
