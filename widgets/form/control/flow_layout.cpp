// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/flow_layout.h"

#include <QWidget>

namespace vqscope {

QLayoutItem* FlowLayout::takeAt(int index) { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : m_items) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool move) const {
  int x = rect.x();
  int y = rect.y();
  int line = 0;
  for (QLayoutItem* item : m_items) {
    const QSize size = item->sizeHint();
    if (x > rect.x() && x + size.width() > rect.right() + 1) {
      x = rect.x();
      y += line + gap;
      line = 0;
    }
    if (move) item->setGeometry({{x, y}, size});
    x += size.width() + gap;
    line = std::max(line, size.height());
  }
  return y + line - rect.y();
}

}  // namespace vqscope
