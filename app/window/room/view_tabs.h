// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace vqscope {

/// Tabs that are all in sight where that is possible: the widest give way and end with an ellipsis.
/// Where it is not, they scroll, and the one at the border ends with an ellipsis.
class ViewTabs : public QTabBar {
  Q_OBJECT
 public:
  explicit ViewTabs(QWidget* parent = nullptr);

 protected:
  QSize tabSizeHint(int index) const override;
  QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }

 private:
  int widestTab() const;
  int roomBefore(int index) const;
};

}  // namespace vqscope
