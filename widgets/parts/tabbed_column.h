// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QSplitter;
class QTabBar;

namespace vqscope {

/// Parts below each other, with borders that can be moved. Where the column is lower than its parts
/// need, they are behind each other, with tabs.
class TabbedColumn : public QWidget {
  Q_OBJECT
 public:
  explicit TabbedColumn(QWidget* parent = nullptr);

  /// `least`: the height in pixels that the part needs beside the others.
  void addPart(const QString& title, QWidget* part, int least);
  /// The part gets another parent.
  void removePart(QWidget* part);
  /// Divides the height, in the order of the parts, unless the user has moved a border.
  void setSizes(const QList<int>& sizes);
  /// Brings a part before the others.
  void raisePart(const QWidget* part);
  bool hasTabs() const { return m_low; }

  /// That of the widest and of the highest part.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Part {
    QWidget* widget;
    int least;
  };
  void arrange();

  QTabBar* m_tabs;
  QSplitter* m_splitter;
  std::vector<Part> m_parts;
  bool m_low = false;
  bool m_moved = false;
};

}  // namespace vqscope
