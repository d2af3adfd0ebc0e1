// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/page_export.h"
#include "app/window/page_report.h"
#include "app/window/page_stack.h"
#include "app/window/room/capture_actions.h"
#include "app/window/room/mask_text_dock.h"
#include "app/window/room/model_actions.h"
#include "app/window/room/room_views.h"
#include "app/window/room/sample_actions.h"
#include "app/window/room/start_actions.h"
#include "app/window/room/tensor_watch.h"
#include "app/window/session_files.h"
#include "app/window/side_docks.h"
#include "app/window/start/file_opener.h"
#include "app/window/window_layout.h"
#include "app/window/work_notifier.h"

#include <QMainWindow>

namespace vqscope {

class FolderWatch;
class StatusLine;
class SubjectBar;
class TopBar;
enum class SnippetLibrary;
struct TypedTargets;
struct ValueTarget;

/// The window: top bar, parameters at the left, the page in the middle, inspector at the right, one
/// status line. It connects its parts with each other and with the menus.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  Workbench& workbench() { return m_workbench; }
  SessionKeeper& keeper() { return m_files.keeper(); }
  PageWidget* currentPage() const { return m_pages.page(); }
  ParameterPanel* currentPanel() const { return m_pages.panel(); }
  SubjectBar* subjectBar() const { return m_subject; }
  PageReport& report() { return m_report; }
  PageExport& exporter() { return m_export; }
  RowDebugger* rowDebugger() const { return m_docks.rowDebugger(); }
  bool isBusy() const;

  /// Opens a session or a model config, or reads a mask file (.py .npy .csv .png) into the Masks
  /// page, all off this thread. An error is reported and changes nothing.
  void openFile(const QString& path);
  /// Of the program's start: an unsaved session is set aside without a question.
  void open(const OpenedFiles& files) { m_opener.open(files, Unsaved::setAside); }
  /// Files from a second start of the program: comes to the front and opens them as files that are
  /// dropped. `token`: of the desktop, which lets the window do so.
  void takeFiles(const QStringList& paths, const QByteArray& token);
  /// Restores the last session and layout, and offers a session that did not end properly. Damaged
  /// files are reported and skipped.
  void restoreSaved();
  /// The desktop has turned light or dark: so does the window, unless the user has chosen a theme.
  void followDesktop();
  WindowLayout layoutState() const;
  /// One sentence in the status line.
  void showMessage(const QString& sentence, bool bad);

 protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeCentre();
  void connectParts();
  void connectDocks();
  void connectPages();
  void connectModels();
  void connectNotes();
  void makeMenus();
  void makeFileMenu();
  void makeEditMenu();
  void makeViewMenu();
  void makeHelpMenu();
  void makeTopBar();
  void connectSearch();
  TypedTargets typedTargets();
  QAction* addTo(QMenu* menu, const QString& title, const QKeySequence& keys, std::function<void()> run);

  void onChanged();
  /// Another session was opened.
  void forgetSession();
  void showPage();
  void explain(const std::optional<Readout>& readout);
  void showReadout(const std::optional<Readout>& readout);
  void showFreshness();

  /// Limits all sizes to the screen.
  void applyLayout(const WindowLayout& layout);
  void setTheme(const QString& name);
  void chooseTheme(const QString& name);
  void keepLayout();
  void openDialog();
  /// Files that are dropped or chosen together; confirms before changes are lost.
  void openFiles(const QStringList& paths) { m_opener.open(paths, Unsaved::ask); }
  void connectOpener();
  /// Asks whether a folder without a model is to be watched.
  void offerWatch(const QString& folder);
  /// Shows the method on its page with these values; other values stay as on the page.
  void openMethod(const std::string& id, const ParameterValues& values);
  void showMethod(const Method& method, const ParameterValues& values, Workbench::Side side);
  /// The side of a comparison that the form shows, if the method belongs to the page on top.
  Workbench::Side shownSide(const Method& method) const;
  void connectStart();
  void setValue(const ValueTarget& target);
  /// Python that computes what the page shows.
  void copyCode(SnippetLibrary library);
  /// Tests the mask of the page with the small model of mask_test.
  void testMask();
  void goToParameter(const std::string& page, const QString& name);
  void goTo();
  /// A cell of the mask on this page, also while its blocks are shown.
  void goToKey(const Cell& cell);
  void showBatch();

  Workbench m_workbench;
  SessionFiles m_files;
  PageStack m_pages;
  RoomViews m_rooms;
  PageExport m_export;
  PageReport m_report;
  SideDocks m_docks;
  MaskTextDock m_text;
  ModelActions m_models;
  SampleActions m_samples;
  StartActions m_start;
  TensorActions m_tensors;
  CaptureActions m_captures;
  FileOpener m_opener;
  TensorWatch m_tensorFiles;
  WorkNotifier m_notifier;
  FolderWatch* m_folder;
  SubjectBar* m_subject;
  TopBar* m_topBar = nullptr;
  StatusLine* m_status;
  QString m_theme;
  QAction* m_undo = nullptr;
  QAction* m_redo = nullptr;
  QAction* m_exportPage = nullptr;
  QAction* m_names = nullptr;  ///< of parameters, beside their labels
  bool m_showing = false;
  bool m_stale = false;  ///< the session has changes that are not shown yet
};

}  // namespace vqscope
