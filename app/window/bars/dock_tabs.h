// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTabBar;

namespace vqscope {

/// Keeps Tab away from the tabs of docks while QMainWindow has no use for them: it leaves them outside the window.
class DockTabs : public QObject {
  Q_OBJECT
 public:
  explicit DockTabs(QTabBar* tabs);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void update();

  QTabBar* m_tabs;
};

}  // namespace vqscope
