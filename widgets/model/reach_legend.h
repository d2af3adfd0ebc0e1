// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/model/reach_view.h"

#include <algorithm>
#include <vector>

namespace vqscope {

/// Swatches of the colours that a picture has, wrapped to the width.
class ReachLegend : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  void setContent(const ReachView::Content* content);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arranged(width, nullptr); }
  QSize sizeHint() const override { return {200, heightForWidth(std::max(200, width()))}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Entry {
    QString words;
    ReachKind kind = ReachKind::none;
    LayerAttention attention = LayerAttention::full;
  };
  int arranged(int width, QPainter* painter) const;

  std::vector<Entry> m_entries;
};

}  // namespace vqscope
