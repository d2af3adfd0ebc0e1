// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/window_layout.h"
#include "widgets/page/workspace_page.h"

#include <QObject>

#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;

namespace vqscope {

class ContractPanel;
class InspectorPanel;
class RowDebugger;

/// The docks around the page: its parameters, what the inspector says, and of masks the checks and the row debugger.
class SideDocks : public QObject {
  Q_OBJECT
 public:
  SideDocks(QMainWindow& window, Workbench& workbench, QWidget* parameters);

  InspectorPanel* inspector() const { return m_inspector; }
  RowDebugger* rowDebugger() const { return m_rowDebugger; }
  bool isBusy() const;

  /// What shows and hides each of them, in the order of the menu.
  std::vector<QAction*> toggles() const;

  /// Masks alone have rows and something to check; elsewhere those docks would be empty.
  void setMasksShown(bool masks);
  /// Gives the docks what the page shows.
  void showAnswers(const WorkspacePage& page);
  /// Marks what is not of the values in the form.
  void setFreshness(const Freshness& now);

  void storeIn(WindowLayout& layout) const;
  void apply(const WindowLayout& layout);

 signals:
  void said(const QString& sentence, bool bad);
  /// Of the mask on the page, also while its blocks are shown.
  void keyPicked(const vqscope::Cell& cell);
  /// The mask on the page is to be tested with forward passes.
  void testAsked();

 private:
  void makeRowDebugger();
  void makeChecks();
  void showDocks();

  QMainWindow& m_window;
  InspectorPanel* m_inspector;
  RowDebugger* m_rowDebugger;
  ContractPanel* m_checks;
  QDockWidget* m_parameterDock;
  QDockWidget* m_inspectorDock;
  QDockWidget* m_checksDock;
  QDockWidget* m_rowDock;
  QAction* m_rowDockShown;  ///< the person's wish, kept while a page without a mask hides the dock
  bool m_hasMasks = false;
};

}  // namespace vqscope
