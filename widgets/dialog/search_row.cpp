// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/search_row.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"

#include <QListWidget>
#include <QPainter>
#include <QTextLayout>

namespace vqscope {
namespace {

enum Role { detailRole = Qt::UserRole, keysRole, marksRole, greyRole, lookRole };

constexpr int rowPadding = 6;  ///< above and below the text of a row
constexpr int rowInset = 10;   ///< left and right of it
constexpr double headingSize = 0.88;

SearchRow::Look lookOf(const QModelIndex& index) { return static_cast<SearchRow::Look>(index.data(lookRole).toInt()); }

QColor colourOf(SearchRow::Look look) {
  const Palette& colours = currentPalette();
  switch (look) {
    case SearchRow::Look::refused: return colours.error;
    case SearchRow::Look::disabled: return mixed(colours.secondary, colours.panel, 0.35);
    case SearchRow::Look::heading: return colours.secondary;
    case SearchRow::Look::normal: break;
  }
  return colours.text;
}

/// Paints the keys in a frame at the right of `area`, which loses their width.
void paintKeys(QPainter& painter, const QFont& font, const QString& keys, QRect& area) {
  if (keys.isEmpty()) return;
  painter.setFont(scaledFont(font, headingSize));
  const QFontMetrics metrics(painter.font());
  const int width = metrics.horizontalAdvance(keys) + 12;
  const QRect frame(area.right() - width + 1, area.center().y() - metrics.height() / 2 - 1, width,
                    metrics.height() + 3);
  const Palette& colours = currentPalette();
  painter.setPen(colours.line);
  painter.setBrush(colours.raised);
  painter.drawRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setPen(colours.secondary);
  painter.drawText(frame, Qt::AlignCenter, keys);
  area.setRight(frame.left() - rowInset);
}

void paintDetail(QPainter& painter, const QFont& font, const QString& detail, QRect& area) {
  if (detail.isEmpty()) return;
  const QFontMetrics metrics(font);
  const QString shown = metrics.elidedText(detail, Qt::ElideRight, area.width() / 2);
  painter.setFont(font);
  painter.setPen(currentPalette().secondary);
  painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, shown);
  area.setRight(area.right() - metrics.horizontalAdvance(shown) - 2 * rowInset);
}

QList<QTextLayout::FormatRange> formats(const QModelIndex& index, qsizetype shown, const QColor& colour) {
  QTextCharFormat plain, grey, marked;
  plain.setForeground(colour);
  grey.setForeground(currentPalette().secondary);
  marked.setForeground(currentPalette().accent);
  marked.setFontWeight(QFont::DemiBold);
  QList<QTextLayout::FormatRange> ranges{{0, static_cast<int>(shown), plain}};
  const int greyFrom = index.data(greyRole).toInt();
  if (greyFrom >= 0 && greyFrom < shown) ranges.append({greyFrom, static_cast<int>(shown) - greyFrom, grey});
  if (lookOf(index) != SearchRow::Look::normal) return ranges;
  for (const QVariant& mark : index.data(marksRole).toList())
    if (mark.toInt() < shown) ranges.append({mark.toInt(), 1, marked});
  return ranges;
}

void paintTitle(QPainter& painter, const QFont& font, const QModelIndex& index, const QRect& area) {
  QFont bold = font;
  bold.setWeight(QFont::DemiBold);
  const QString title = index.data().toString();
  const bool fits = QFontMetrics(bold).horizontalAdvance(title) <= area.width();
  const QString shown = fits ? title : QFontMetrics(bold).elidedText(title, Qt::ElideRight, area.width());
  QTextLayout layout(shown, font);
  layout.setFormats(formats(index, shown.size(), colourOf(lookOf(index))));
  layout.beginLayout();
  QTextLine line = layout.createLine();
  line.setLineWidth(1e5);
  layout.endLayout();
  layout.draw(&painter, QPointF(area.left(), area.center().y() + 0.5 - line.height() / 2));
}

}  // namespace

QListWidgetItem* addSearchRow(const SearchRow& row, QListWidget* list) {
  auto* item = new QListWidgetItem(row.title, list);
  QVariantList marks;
  for (const int mark : row.marks) marks << mark;
  item->setData(detailRole, row.detail);
  item->setData(keysRole, row.keys);
  item->setData(marksRole, marks);
  item->setData(greyRole, static_cast<int>(row.greyFrom));
  item->setData(lookRole, static_cast<int>(row.look));
  QStringList words{row.title};
  for (const QString& each : {row.detail, row.keys})
    if (!each.isEmpty()) words << each;
  item->setData(Qt::AccessibleTextRole, words.join(QStringLiteral(", ")));
  item->setToolTip(row.title);
  if (row.look == SearchRow::Look::heading) item->setFlags(Qt::NoItemFlags);
  return item;
}

QSize SearchRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {100, option.fontMetrics.height() + 2 * rowPadding};
}

void SearchRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Palette& colours = currentPalette();
  painter->setRenderHint(QPainter::Antialiasing);
  if (option.state & QStyle::State_Selected) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(mixed(colours.raised, colours.accent, colours.dark ? 0.28 : 0.16));
    painter->drawRoundedRect(option.rect, 4, 4);
  }
  QRect area = option.rect.adjusted(rowInset, 0, -rowInset, 0);
  if (lookOf(index) == SearchRow::Look::heading) {
    area.setTop(area.top() + rowPadding);
    return paintTitle(*painter, scaledFont(option.font, headingSize), index, area);
  }
  paintKeys(*painter, option.font, index.data(keysRole).toString(), area);
  paintDetail(*painter, option.font, index.data(detailRole).toString(), area);
  paintTitle(*painter, option.font, index, area);
}

}  // namespace vqscope
