// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/view_tabs.h"

#include <algorithm>
#include <vector>

namespace vqscope {
namespace {

constexpr int leastTab = 72;  // pixels

}  // namespace

ViewTabs::ViewTabs(QWidget* parent) : QTabBar(parent) {
  setDrawBase(false);
  setExpanding(false);
  setUsesScrollButtons(true);
  setElideMode(Qt::ElideRight);
}

QSize ViewTabs::tabSizeHint(int index) const {
  const QSize whole = QTabBar::tabSizeHint(index);
  return {std::min(whole.width(), widestTab()), whole.height()};
}

/// Such that all tabs fit, if it is not too narrow to read.
int ViewTabs::widestTab() const {
  std::vector<int> widths;
  for (int i = 0; i < count(); ++i) widths.push_back(QTabBar::tabSizeHint(i).width());
  std::ranges::sort(widths);
  int room = width();
  int left = count();
  for (const int each : widths) {
    if (each * left > room) return std::max(leastTab, room / left);
    room -= each;
    --left;
  }
  return QWIDGETSIZE_MAX;
}

}  // namespace vqscope
