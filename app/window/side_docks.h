// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/window_layout.h"
#include "widgets/page/page_widget.h"

#include <QObject>

#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;

namespace vqscope {

class LintPanel;
class InspectorPanel;
struct BatchOverview;
struct TextFix;
class RowDebugger;

/// The docks around the page: parameters and inspector, and for masks the checks and the row
/// debugger.
class SideDocks : public QObject {
  Q_OBJECT
 public:
  SideDocks(QMainWindow& window, Workbench& workbench, QWidget* parameters);

  InspectorPanel* inspector() const { return m_inspector; }
  RowDebugger* rowDebugger() const { return m_rowDebugger; }
  bool isBusy() const;

  /// Actions that show and hide the docks, in the order of the menu.
  std::vector<QAction*> toggles() const;

  /// Brings a panel before those that share its place.
  void raiseParameters() { bringForward(m_parameterDock); }
  void raiseInspector() { bringForward(m_inspectorDock); }
  /// Hides checks and row debugger on pages without a mask.
  void setMasksShown(bool masks);
  /// Hides parameters and inspector on pages that have neither.
  void setSidesShown(bool shown);
  /// Updates the docks from the page.
  void showAnswers(const PageWidget& page);
  /// The side of a comparison that the form edits.
  void setEditedSide(bool second);
  /// Writes the fix that was found into the mask's text.
  void applyFix();
  /// The samples of the file that the page shows one of.
  void setBatch(const BatchOverview& batch);
  /// Marks contents that do not belong to the values in the form.
  void setFreshness(const Freshness& now);

  void storeIn(WindowLayout& layout) const;
  void apply(const WindowLayout& layout);

 signals:
  void notified(const QString& sentence, bool bad);
  /// A cell of the mask on the page, also while its blocks are shown.
  void keyPicked(const vqscope::Cell& cell);
  /// A finding of another sample of the file, with its counterexample if it has one, or a row there
  /// that a search has found; `notice` says what is there.
  void samplePicked(vqscope::Index sample, vqscope::Index head, const std::optional<vqscope::Cell>& cell,
                    const QString& notice);
  /// A comparison of the mask's text that mends a finding; nothing: there is none.
  void fixFound(const std::optional<vqscope::TextFix>& fix);
  /// A question asks for a parameter of the page.
  void parameterRequested(const QString& name);
  /// Emitted to test the mask on the page with forward passes.
  void testRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// In pixels; 0: not on screen.
  struct Sizes {
    int parameters = 0;
    int right = 0;  ///< of inspector and checks, which share a place
    int rows = 0;
  };
  Sizes sizes() const;
  void resize(QDockWidget* dock, int size, Qt::Orientation along);
  void bringForward(QDockWidget* dock) const;
  void makeRowDebugger();
  void makeChecks();
  void showDocks();
  void keepHidden(QDockWidget* dock, bool wanted);
  /// In a narrow window, inspector and checks are tabs beside the parameters, so that the page
  /// keeps its space.
  void fitWindow();
  /// Gives the row debugger the share of the window's height that it may have.
  void fitRows();

  QMainWindow& m_window;
  InspectorPanel* m_inspector;
  RowDebugger* m_rowDebugger;
  LintPanel* m_checks;
  QDockWidget* m_parameterDock;
  QDockWidget* m_inspectorDock;
  QDockWidget* m_checksDock;
  QDockWidget* m_rowDock;
  QAction* m_rowDockShown;  ///< the user's choice, kept while a page without a mask hides the dock
  bool m_hasMasks = false;
  bool m_hasRows = true;  ///< the map on the page is that of a mask or its blocks, or still to come
  bool m_hasSides = true;
  std::vector<QDockWidget*> m_hiddenSides;  ///< docks to show again on a page that has them
  bool m_compact = false;
  int m_windowHeight = 0;  ///< before the last change of the window's size
  int m_rowHeight = 0;     ///< of the row debugger, as set by the user or the layout; 0: not shown yet
  int m_rowFitted = 0;     ///< the height that a change of the window gave it
  bool m_fitting = false;  ///< the window or a fold has changed the height, not the user
  bool m_rowsWereShown = false;
  Sizes m_wide;  ///< as they were before the window became narrow
};

}  // namespace vqscope
