// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure_title.h"

namespace vqscope {
namespace {

constexpr int side = 12;
constexpr int above = 8;
constexpr int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

}  // namespace

/// From the upper left corner of the figure on, as wide as the figure.
QRect FigureTitle::place() const {
  const QRect figure = mParentPlot->viewport();
  const QRect space(0, 0, std::max(40, figure.width() - 2 * side), figure.height());
  const QRect lines = QFontMetrics(m_style.text).boundingRect(space, flags, m_text);
  return {figure.left() + side, rect().top() + above, space.width(), lines.height()};
}

int FigureTitle::height() const { return place().height() + above; }

void FigureTitle::draw(QCPPainter* painter) {
  painter->save();
  painter->setFont(m_style.text);
  painter->setPen(m_style.colours.text);
  painter->drawText(place(), flags | Qt::TextDontClip, m_text);
  painter->restore();
}

}  // namespace vqscope
