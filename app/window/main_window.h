// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/saved_state.h"
#include "app/window/session_keeper.h"
#include "app/window/window_layout.h"
#include "widgets/dialog/export_dialog.h"
#include "widgets/page/workspace_page.h"
#include "widgets/session/workbench.h"

#include <QMainWindow>
#include <QTimer>

#include <map>

class QButtonGroup;
class QLabel;
class QStackedWidget;

namespace vqscope {

class ActionSearch;
struct ConfigReport;
class ContractPanel;
class InspectorPanel;
class MessageBar;
class ParameterPanel;
class RecoveryBar;
class RowDebugger;

/// The window: top bar, parameters at the left, the page in the middle, inspector at the right, one status line.
/// Pages are made when they are first shown, so that the window stands at once.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  Workbench& workbench() { return m_workbench; }
  SessionKeeper& keeper() { return m_keeper; }
  WorkspacePage* currentPage() const;
  ParameterPanel* currentPanel() const;
  RowDebugger* rowDebugger() const { return m_rowDebugger; }
  bool isBusy() const;

  /// Opens a session file, or takes a mask of a file (.py .npy .csv .png) for the Masks page; what is wrong with it is
  /// said and changes nothing.
  void openFile(const QString& path);
  /// Takes up the last session and layout, and offers what was not kept orderly; damage is said and left out.
  void restoreSaved();
  WindowLayout layoutState() const;
  /// One sentence below the page.
  void say(const QString& sentence, bool bad);

 protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Page {
    WorkspacePage* page = nullptr;
    ParameterPanel* panel = nullptr;
  };

  void makeDocks();
  /// Sizes are brought into the screen, whatever they are.
  void applyLayout(const WindowLayout& layout);
  void makeRowDebugger();
  void connectInsight();
  void makeChecksDock();
  void makeMenus();
  void makeTopBar();
  void makeStatusBar();
  void fillSearch();
  Page& pageOf(const std::string& id);
  void connectPage(WorkspacePage* page);
  void onChanged();
  void showPage(Page& shown);
  /// Takes what is typed in a form and not entered yet.
  void enterTyped();
  void showReadout(const std::optional<Readout>& readout);
  void showFrame(const FrameReport& report);
  /// Gives everything beside the page what it shows.
  void showAnswers();
  void showDocks();
  /// Marks everything beside the page that is not of the values in the form.
  void showFreshness();
  /// Says why what is asked of the page is not given while its form has an error.
  bool refuses();
  void openDialog();
  /// As openFile; asks before changes are lost.
  void openAsked(const QString& path);
  void connectKeeper();
  /// Opens the offered session in place of this one; asks before changes are lost.
  void restoreOffered();
  /// What was opened is on screen, and the program still runs.
  void stand();
  /// The file and whether it is changed, in the title.
  void showName();
  void newSession();
  void openSession(const QString& path);
  /// Asks when the session has changes that would be lost, and saves them when that is the answer.
  bool mayDiscard();
  bool save(bool askForPath);
  void exportTarget(const ExportTarget& target);
  /// What export and command line are of; on a page without numbers it says so.
  std::optional<ExportTarget> mainTarget();
  void exportCurrent();
  void goTo();
  /// Of the mask on this page, also while its blocks are shown.
  void goToKey(Cell cell);
  void copyCommandLine();
  void setTheme(const QString& name);
  void showConfig(const QString& name, const ConfigReport& report);
  void pasteConfig();
  /// On its page, with these values and else those that the page has.
  void openMethod(const std::string& id, const ParameterValues& values);
  void showKeys();
  void showRecoveryHelp();
  void showAbout();
  QAction* addTo(QMenu* menu, const QString& title, const QKeySequence& keys, std::function<void()> run);

  Workbench m_workbench;
  SessionKeeper m_keeper{m_workbench};
  QTimer m_standing;
  QString m_incompletePath;  ///< the session's file, of which parts were left out
  QString m_theme;
  ExportChoices m_exportChoices;
  std::map<std::string, Page> m_pages;
  Page* m_shown = nullptr;  ///< one of them
  bool m_showing = false;
  bool m_stale = false;  ///< the session is ahead of what is shown
  QStackedWidget* m_pageStack;
  QStackedWidget* m_panelStack;
  InspectorPanel* m_inspector;
  RowDebugger* m_rowDebugger = nullptr;
  ContractPanel* m_checks;
  QButtonGroup* m_tabs = nullptr;
  ActionSearch* m_search = nullptr;
  QDockWidget* m_parameterDock = nullptr;
  QDockWidget* m_inspectorDock = nullptr;
  QDockWidget* m_rowDock = nullptr;
  QAction* m_rowDockShown = nullptr;  ///< the person's wish, kept while a page without a mask hides the dock
  QDockWidget* m_checksDock = nullptr;
  bool m_hasChecks = false;
  QAction* m_undo = nullptr;
  QAction* m_redo = nullptr;
  QAction* m_export = nullptr;
  QAction* m_restore = nullptr;  ///< while there is a session to restore
  QLabel* m_readout = nullptr;
  MessageBar* m_message;
  RecoveryBar* m_recovery;
  QLabel* m_exact = nullptr;
  QLabel* m_frame = nullptr;
  QLabel* m_bytes = nullptr;
};

}  // namespace vqscope
