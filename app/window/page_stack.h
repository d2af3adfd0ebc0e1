// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/workspace_page.h"
#include "widgets/session/workbench.h"

#include <map>
#include <string>

class QStackedWidget;

namespace vqscope {

class ParameterPanel;

/// The pages with their parameters, of which one is in front. Pages are made when they are first shown, so that the
/// window stands at once. What a page tells is told on while it is the one in front.
class PageStack : public QObject {
  Q_OBJECT
 public:
  /// The widgets that it makes are for the window to place, and belong to it.
  PageStack(Workbench& workbench, QWidget* window);

  QStackedWidget* pages() const { return m_pageStack; }
  QStackedWidget* panels() const { return m_panelStack; }

  /// Brings a page to the front; whether another was there. What it shows is for sync().
  bool show(const std::string& id);
  void sync();

  /// The one in front; there is one once show() was called.
  WorkspacePage* page() const { return m_shown->page; }
  ParameterPanel* panel() const { return m_shown->panel; }

  /// Takes what is typed in a form and not entered yet.
  void enterTyped();
  /// With the answer of the page in front out of date under an error: says so, and is true.
  bool refuses();

 signals:
  void readoutShown(const std::optional<vqscope::Readout>& readout);
  void readoutPending();
  void cellPicked(const vqscope::Cell& cell);
  void frameShown(const vqscope::FrameReport& report);
  void answered();
  void freshnessChanged();
  void exportRequested(const vqscope::ExportTarget& target);
  void methodAsked(const QString& id);
  void said(const QString& sentence, bool bad);

 private:
  struct Entry {
    WorkspacePage* page = nullptr;
    ParameterPanel* panel = nullptr;
  };

  Entry& entryOf(const std::string& id);
  void tellOn(WorkspacePage* page);
  template <class... Arguments>
  void tellOn(WorkspacePage* page, void (WorkspacePage::*from)(Arguments...), void (PageStack::*to)(Arguments...));

  Workbench& m_workbench;
  QWidget* m_window;
  QStackedWidget* m_pageStack;
  QStackedWidget* m_panelStack;
  std::map<std::string, Entry> m_entries;
  Entry* m_shown = nullptr;  ///< one of them
};

}  // namespace vqscope
