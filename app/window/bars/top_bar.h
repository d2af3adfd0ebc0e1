// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/workbench.h"

#include <QToolBar>

#include <map>
#include <string>
#include <utility>
#include <vector>

class QButtonGroup;

namespace vqscope {

class ActionSearch;

/// The bar at the top: a tab for each room, the search, and some actions as buttons.
class TopBar : public QToolBar {
  Q_OBJECT
 public:
  /// The buttons are actions with the names of their icons.
  TopBar(Workbench& workbench, const std::vector<std::pair<QAction*, const char*>>& buttons, QWidget* parent);

  /// Marks the tab of the page's room, which shows this page again when it is chosen.
  void setPage(const std::string& id);
  void showRoom(const std::string& id);
  ActionSearch* search() const { return m_search; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addTabs();
  void addSearch();

  Workbench& m_workbench;
  QWidget* m_name = nullptr;  ///< of the program
  QButtonGroup* m_tabs = nullptr;
  std::map<std::string, std::string> m_pages;  ///< the page of each room that was shown last
  ActionSearch* m_search;
};

/// The second line of the top: the subject of all pages.
QToolBar* subjectToolBar(QWidget* subject, QWidget* parent);

}  // namespace vqscope
