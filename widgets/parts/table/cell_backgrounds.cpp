// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/table/cell_backgrounds.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace vqscope {
namespace {

class BackgroundDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QVariant background = index.data(Qt::BackgroundRole);
    if (background.isValid()) painter->fillRect(option.rect, background.value<QBrush>());
    QStyledItemDelegate::paint(painter, option, index);
  }
};

}  // namespace

void paintBackgrounds(QAbstractItemView& view) { view.setItemDelegate(new BackgroundDelegate(&view)); }

}  // namespace vqscope
