// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/chain_button.h"

#include "widgets/form/control/reset_dot.h"
#include "widgets/theme/palette.h"

#include <QPainter>

namespace vqscope {

ChainButton::ChainButton(QWidget* parent) : QAbstractButton(parent) {
  auto policy = QSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  policy.setRetainSizeWhenHidden(true);
  setSizePolicy(policy);
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
  hide();
}

QSize ChainButton::sizeHint() const { return {ResetDot::room, ResetDot::room + 2}; }

void ChainButton::setState(State state) {
  m_state = state;
  setVisible(state != State::none);
  const bool linked = state == State::linked;
  setToolTip(linked ? tr("Shared by all pages. Click to give this page a value of its own")
                    : tr("This page has a value of its own. Click to use the shared value again"));
  setAccessibleName(linked ? tr("Shared by all pages") : tr("Own value of this page"));
  update();
}

/// Two links, one over the other; an open chain has a gap between them and the accent colour.
void ChainButton::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  const bool strong = underMouse() || hasFocus();
  const bool open = m_state == State::own;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(open || strong ? p.accent : mixed(p.panel, p.secondary, 0.6), 1.3));
  painter.setBrush(Qt::NoBrush);
  painter.translate(width() / 2.0, height() / 2.0);
  painter.rotate(-45);
  const double apart = open ? 4.6 : 3.0;
  for (const double x : {-apart, apart}) painter.drawRoundedRect(QRectF(x - 3.2, -2.0, 6.4, 4.0), 2.0, 2.0);
  if (hasFocus()) {
    painter.resetTransform();
    painter.setPen(QPen(p.accent, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
}

}  // namespace vqscope
