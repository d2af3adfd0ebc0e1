// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStyledItemDelegate>

class QListWidget;
class QListWidgetItem;

namespace vqscope {

/// One row of the search's list.
struct SearchRow {
  enum class Look { normal, heading, disabled, refused };
  QString title;
  QString detail = {};      ///< in grey at the right: the kind of the row
  QString keys = {};        ///< the shortcut, in a frame after it
  QList<int> marks = {};    ///< characters of the title that match
  qsizetype greyFrom = -1;  ///< characters of the title from here on are grey; -1: none
  Look look = Look::normal;
};

/// Adds a row to a list with a SearchRowDelegate.
QListWidgetItem* addSearchRow(const SearchRow& row, QListWidget* list);

/// Title at the left with the letters that match in the accent colour, detail and keys at the right; a
/// narrow row cuts the title.
class SearchRowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace vqscope
