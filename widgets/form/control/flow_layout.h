// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>

namespace vqscope {

/// Places items side by side and breaks lines like words.
class FlowLayout : public QLayout {
 public:
  static constexpr int gap = 5;

  ~FlowLayout() override { qDeleteAll(m_items); }

  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool move) const;

  QList<QLayoutItem*> m_items;
};

}  // namespace vqscope
