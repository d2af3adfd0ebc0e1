// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/link_row.h"

#include "widgets/theme/palette.h"

#include <QPainter>

namespace vqscope {
namespace {

constexpr int padding = 7;  ///< above and below the text
constexpr int apart = 12;   ///< between text and detail
constexpr int inset = 4;

}  // namespace

LinkRow::LinkRow(const QString& words, const QString& detail, QWidget* parent)
    : QAbstractButton(parent), m_detail(detail) {
  setText(words);
  setAccessibleName(detail.isEmpty() ? words : QStringLiteral("%1, %2").arg(words, detail));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LinkRow::sizeHint() const { return {220, fontMetrics().height() + 2 * padding}; }

void LinkRow::paintEvent(QPaintEvent*) {
  const Palette& colours = currentPalette();
  QPainter painter(this);
  if (underMouse()) painter.fillRect(rect(), colours.raised);
  painter.setPen(colours.line);
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
  const QRect inner = rect().adjusted(inset, 0, -inset, -1);
  const int details = m_detail.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_detail) + apart;
  painter.setPen(colours.secondary);
  painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, m_detail);
  painter.setPen(underMouse() || hasFocus() ? colours.accent : colours.text);
  painter.drawText(inner.adjusted(0, 0, -details, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, inner.width() - details));
  if (!hasFocus()) return;
  painter.setPen(QPen(colours.accent, 2));
  painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

}  // namespace vqscope
