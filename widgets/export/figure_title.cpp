// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure_title.h"

namespace vqscope {
namespace {

constexpr int side = 12;
constexpr int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

}  // namespace

QFont FigureTitle::letterFont() const {
  QFont font = m_style.text;
  font.setBold(true);
  return font;
}

/// From the upper left corner of the figure on, behind the letter, to the right border.
FigureTitle::Lines FigureTitle::lines() const {
  const QRect figure = mParentPlot->viewport();
  const QFontMetrics metrics(m_style.text);
  const int letter = m_letter.isEmpty() ? 0 : QFontMetrics(letterFont()).horizontalAdvance(m_letter + QLatin1Char(' '));
  const int room = std::max(40, figure.width() - 2 * side - letter);
  const int most = std::max(metrics.lineSpacing(), figure.height() / 3);
  const auto heightOf = [&](const QString& text) {
    return metrics.boundingRect(QRect(0, 0, room, figure.height()), flags, text).height();
  };
  QString shown = m_text;
  if (heightOf(shown) > most) {
    qsizetype fits = 0;
    qsizetype tooLong = m_text.size();
    while (fits + 1 < tooLong) {
      const qsizetype middle = (fits + tooLong) / 2;
      (heightOf(m_text.left(middle) + QChar(0x2026)) > most ? tooLong : fits) = middle;
    }
    shown = m_text.left(fits).trimmed() + QChar(0x2026);
  }
  const int high = std::max(shown.isEmpty() ? 0 : heightOf(shown), letter > 0 ? metrics.height() : 0);
  return {shown, {figure.left() + side + letter, rect().top() + above, room, high}};
}

void FigureTitle::draw(QCPPainter* painter) {
  const Lines shown = lines();
  painter->save();
  painter->setPen(m_style.colours.text);
  if (!m_letter.isEmpty()) {
    painter->setFont(letterFont());
    painter->drawText(QRect(mParentPlot->viewport().left() + side, shown.place.top(), shown.place.width(), 1),
                      Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip, m_letter);
  }
  painter->setFont(m_style.text);
  painter->drawText(shown.place, flags | Qt::TextDontClip, shown.text);
  painter->restore();
}

}  // namespace vqscope
