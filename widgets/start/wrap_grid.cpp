// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/wrap_grid.h"

#include <QWidget>

#include <algorithm>

namespace vqscope {

WrapGrid::WrapGrid(int leastWidth, int gap, bool balanced, QWidget* parent)
    : QLayout(parent), m_leastWidth(leastWidth), m_gap(gap), m_balanced(balanced) {
  setContentsMargins(0, 0, 0, 0);
}

WrapGrid::~WrapGrid() = default;

void WrapGrid::addItem(QLayoutItem* item) { m_items.emplace_back(item); }

QLayoutItem* WrapGrid::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrapGrid::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return item;
}

int WrapGrid::columnsFor(int width) const {
  const int fit = std::max(1, (width + m_gap) / (m_leastWidth + m_gap));
  if (!m_balanced || count() == 0) return fit;
  const int rows = (count() + fit - 1) / fit;
  return (count() + rows - 1) / rows;
}

QSize WrapGrid::minimumSize() const {
  int height = 0;
  for (const auto& item : m_items) height = std::max(height, item->minimumSize().height());
  return {m_leastWidth, height};
}

void WrapGrid::setGeometry(const QRect& place) {
  QLayout::setGeometry(place);
  arrange(place, true);
}

int WrapGrid::arrange(const QRect& place, bool move) const {
  const int columns = columnsFor(place.width());
  const int width = (place.width() - (columns - 1) * m_gap) / columns;
  int y = place.y();
  for (int first = 0; first < count(); first += columns) {
    const int end = std::min(count(), first + columns);
    int height = 0;
    for (int i = first; i < end; ++i) {
      const QLayoutItem& item = *itemAt(i);
      height = std::max(height, item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height());
    }
    for (int i = first; move && i < end; ++i)
      itemAt(i)->setGeometry(QRect(place.x() + (i - first) * (width + m_gap), y, width, height));
    y += height + m_gap;
  }
  return std::max(0, y - place.y() - m_gap);
}

}  // namespace vqscope
