// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace vqscope {

/// A line of a ViewList: thumbnail, title, and a grey detail below it; or the heading of a group.
class ViewListDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  static constexpr int idRole = Qt::UserRole;
  static constexpr int detailRole = Qt::UserRole + 1;
  static constexpr QSize picture{44, 33};

  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace vqscope
