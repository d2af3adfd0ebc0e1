// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/workbench.h"

#include <QToolBar>

#include <string>
#include <utility>
#include <vector>

class QButtonGroup;

namespace vqscope {

class ActionSearch;

/// The bar at the top: a tab for each page, the search, and some actions as buttons.
class TopBar : public QToolBar {
  Q_OBJECT
 public:
  /// The buttons are actions with the names of their icons.
  TopBar(Workbench& workbench, const std::vector<std::pair<QAction*, const char*>>& buttons, QWidget* parent);

  /// Marks the tab of the page.
  void setPage(const std::string& id);
  ActionSearch* search() const { return m_search; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addTabs(Workbench& workbench);
  void addSearch();

  QWidget* m_name = nullptr;  ///< of the program
  QButtonGroup* m_tabs = nullptr;
  ActionSearch* m_search;
};

}  // namespace vqscope
