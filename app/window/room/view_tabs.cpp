// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/view_tabs.h"

#include <QStyle>

#include <algorithm>
#include <vector>

namespace vqscope {
namespace {

constexpr int leastTab = 120;  // pixels, of one that gives way so that all fit
constexpr int leastLast = 60;  // of one that ends at the border

}  // namespace

ViewTabs::ViewTabs(QWidget* parent) : QTabBar(parent) {
  setDrawBase(false);
  setExpanding(false);
  setUsesScrollButtons(true);
  setElideMode(Qt::ElideRight);
}

QSize ViewTabs::tabSizeHint(int index) const {
  const QSize whole = QTabBar::tabSizeHint(index);
  const int most = widestTab();
  if (most >= leastTab) return {std::min(whole.width(), most), whole.height()};
  const int room = roomBefore(index);
  const bool isCut = index != currentIndex() && room >= leastLast && room < whole.width();
  return isCut ? QSize(room, whole.height()) : whole;
}

/// The buttons that scroll take the rest.
int ViewTabs::roomBefore(int index) const {
  int room = width() - 2 * style()->pixelMetric(QStyle::PM_TabBarScrollButtonWidth, nullptr, this);
  for (int i = 0; i < index; ++i) room -= QTabBar::tabSizeHint(i).width();
  return room;
}

/// Such that all tabs fit.
int ViewTabs::widestTab() const {
  std::vector<int> widths;
  for (int i = 0; i < count(); ++i) widths.push_back(QTabBar::tabSizeHint(i).width());
  std::ranges::sort(widths);
  int room = width();
  int left = count();
  for (const int each : widths) {
    if (each * left > room) return room / left;
    room -= each;
    --left;
  }
  return QWIDGETSIZE_MAX;
}

}  // namespace vqscope
