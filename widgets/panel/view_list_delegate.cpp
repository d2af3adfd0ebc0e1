// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/view_list_delegate.h"

#include "widgets/theme/palette.h"

#include <QPainter>
#include <QPixmap>

namespace vqscope {
namespace {

constexpr int margin = 12;
constexpr int padding = 4;

bool isHeading(const QModelIndex& index) { return !(index.flags() & Qt::ItemIsSelectable); }

QFont smaller(QFont font) {
  font.setPointSizeF(font.pointSizeF() * 0.86);
  return font;
}

void paintHeading(QPainter* painter, const QStyleOptionViewItem& option, const QString& words) {
  QFont font = smaller(option.font);
  font.setWeight(QFont::DemiBold);
  font.setCapitalization(QFont::AllUppercase);
  font.setLetterSpacing(QFont::AbsoluteSpacing, 1);
  painter->setFont(font);
  painter->setPen(currentPalette().secondary);
  painter->drawText(option.rect.adjusted(margin, 0, -margin, -3), Qt::AlignLeft | Qt::AlignBottom, words);
}

}  // namespace

void ViewListDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Palette& p = currentPalette();
  painter->save();
  if (isHeading(index)) {
    paintHeading(painter, option, index.data(Qt::DisplayRole).toString());
    return painter->restore();
  }
  const bool chosen = option.state & QStyle::State_Selected;
  if (chosen)
    painter->fillRect(option.rect, mixed(p.panel, p.accent, 0.16));
  else if (option.state & QStyle::State_MouseOver)
    painter->fillRect(option.rect, p.raised);
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(p.accent);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
  }
  const QRect place(QPoint(option.rect.left() + margin, option.rect.center().y() - picture.height() / 2), picture);
  const auto pixmap = index.data(Qt::DecorationRole).value<QPixmap>();
  if (!pixmap.isNull()) painter->drawPixmap(place, pixmap);
  painter->setPen(p.line);
  painter->drawRect(place.adjusted(0, 0, -1, -1));
  const QRect words = option.rect.adjusted(margin + picture.width() + 8, padding, -margin, -padding);
  QFont font = option.font;
  if (chosen) font.setWeight(QFont::DemiBold);
  painter->setFont(font);
  painter->setPen(p.text);
  const QFontMetrics metrics(font);
  painter->drawText(words, Qt::AlignLeft | Qt::AlignTop,
                    metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, words.width()));
  const QFont small = smaller(option.font);
  painter->setFont(small);
  painter->setPen(p.secondary);
  painter->drawText(words, Qt::AlignLeft | Qt::AlignBottom,
                    QFontMetrics(small).elidedText(index.data(detailRole).toString(), Qt::ElideRight, words.width()));
  painter->restore();
}

QSize ViewListDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int line = QFontMetrics(option.font).height();
  return {100, isHeading(index) ? line + 12 : std::max(picture.height(), 2 * line) + 2 * padding};
}

}  // namespace vqscope
