// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/layer_schedule.h"

#include <QStyledItemDelegate>

namespace vqscope {

/// A picture of the keys that a layer sees before the words of its mask: full, a window at the
/// right, a chunk between borders, both sides, a state that fades.
class MaskBarDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// A layer sees a larger part of the bar the larger its window is against `tokens`.
  void setTokens(Index tokens) { m_tokens = tokens; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintBar(QPainter& painter, const QRectF& bar, const ModelLayer& layer) const;

  Index m_tokens = 1;
};

}  // namespace vqscope
