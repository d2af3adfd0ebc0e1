// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/gallery.h"
#include "widgets/thumbnail/thumbnail.h"

#include <QAbstractButton>
#include <QLayout>

#include <memory>
#include <vector>

namespace vqscope {

/// Items in columns of equal width, as many as fit side by side, and in rows as high as their
/// highest item. Rows are balanced: five items in a width for four become three and two.
class WrapGrid : public QLayout {
  Q_OBJECT
 public:
  /// `leastWidth`: of a column, in pixels. The columns of a grid with `balanced` false are as many
  /// as fit.
  WrapGrid(int leastWidth, int gap, bool balanced, QWidget* parent);
  ~WrapGrid() override;

  /// Also where more would fit.
  void setMostColumns(int most) { m_mostColumns = most; }
  int columnsFor(int width) const;

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& place) override;

 private:
  /// Returns the height. Moves the items only if `move`.
  int arrange(const QRect& place, bool move) const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
  int m_leastWidth;
  int m_gap;
  bool m_balanced;
  int m_mostColumns = 100;
};

/// A line of a list that opens something: its text, elided in the middle, and a grey detail at the
/// right, over a thin line.
class LinkRow : public QAbstractButton {
  Q_OBJECT
 public:
  LinkRow(const QString& words, const QString& detail, QWidget* parent);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_detail;
};

/// The thumbnail of an entry in the current theme; `pixels` are those of the device.
ThumbnailRequest galleryThumbnail(const GalleryEntry& entry, const QSize& pixels, double pixelRatio);

}  // namespace vqscope
