// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menus, top bar and search.
#include "app/window/main_window.h"

#include "app/window/bars/help_boxes.h"
#include "app/window/bars/search_entries.h"
#include "app/window/bars/status_line.h"
#include "app/window/bars/top_bar.h"
#include "app/window/bars/typed_entries.h"
#include "app/window/room/folder_watch.h"
#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey.h"
#include "core/encoding/snippet/encoding_snippet.h"
#include "core/encoding/snippet/snippet_library.h"
#include "widgets/form/control/row_parts.h"
#include "widgets/mask/insight/mask_insight.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/notes_list.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/panel/subject_bar.h"
#include "widgets/parts/focus_areas.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"
#include "widgets/start/recent_menu.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>

namespace vqscope {
QAction* MainWindow::addTo(QMenu* menu, const QString& title, const QKeySequence& keys, std::function<void()> run) {
  QAction* action = menu->addAction(title, this, std::move(run));
  action->setShortcut(keys);
  return action;
}

void MainWindow::makeMenus() {
  connectNotes();
  makeFileMenu();
  makeEditMenu();
  makeViewMenu();
  makeHelpMenu();
}

void MainWindow::offerWatch(const QString& folder) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Folder"),
                              tr("%1 has no config.json, params.json or GGUF file. VQScope can check each mask that is "
                                 "written into it.")
                                  .arg(text(shownPath(QFileInfo(folder).fileName()))),
                              QMessageBox::Cancel, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  const QPushButton* watch = box->addButton(tr("Watch folder"), QMessageBox::AcceptRole);
  connect(box, &QMessageBox::buttonClicked, this, [this, folder, watch](const QAbstractButton* button) {
    if (button != watch) return;
    m_workbench.showPage("masks");
    m_folder->start(folder);
  });
  box->open();
}

void MainWindow::connectOpener() {
  MessageBar* message = m_status->message();
  connect(&m_opener, &FileOpener::notified, this, &MainWindow::showMessage);
  connect(&m_opener, &FileOpener::opened, &m_start, &StartActions::addRecent);
  connect(&m_opener, &FileOpener::folderOpened, this, &MainWindow::offerWatch);
  connect(&m_opener, &FileOpener::captureOpened, &m_captures, &CaptureActions::show);
  connect(&m_opener, &FileOpener::capturesOpened, &m_captures, &CaptureActions::compare);
  connect(&m_captures, &CaptureActions::notified, this, &MainWindow::showMessage);
  connect(&m_captures, &CaptureActions::comparisonRequested, &m_opener, [this](const QStringList& folders) {
    m_opener.open(OpenedFiles{folders, OpenedAs::captures}, Unsaved::ask);
  });
  connect(&m_captures, &CaptureActions::viewRequested, this,
          [this](const QString& id, const ParameterValues& values) { openMethod(id.toStdString(), values); });
  connect(&m_captures, &CaptureActions::layerRequested, &m_opener, &FileOpener::openTensorFiles);
  connect(&m_opener.reading(), &FileReading::lasting, message, &MessageBar::showWork);
  connect(&m_opener.reading(), &FileReading::ended, message, &MessageBar::endWork);
  connect(&m_pages, &PageStack::readingLasts, message, &MessageBar::showWork);
  connect(&m_pages, &PageStack::readingEnded, message, &MessageBar::endWork);
  connect(message, &MessageBar::workStopped, &m_opener, &FileOpener::stop);
  connect(&m_models, &ModelActions::idRequested, &m_opener, [this](const QString& id) {
    m_opener.open(OpenedFiles{{id}, OpenedAs::model}, Unsaved::ask);
  });
  connect(&m_start, &StartActions::configsCompared, &m_opener, [this](const QString& first, const QString& second) {
    m_opener.open(OpenedFiles{{first, second}, OpenedAs::models}, Unsaved::ask);
  });
  connect(&m_pages, &PageStack::tensorsRequested, &m_opener, [this](const QString& path) {
    m_opener.open(OpenedFiles{{path}, OpenedAs::tensors}, Unsaved::ask);
  });
}

void MainWindow::openFile(const QString& path) { m_opener.open(QStringList{path}, Unsaved::setAside); }

void MainWindow::takeFiles(const QStringList& paths, const QByteArray& token) {
  if (!token.isEmpty()) qputenv("XDG_ACTIVATION_TOKEN", token);  // where Qt looks for it
  setWindowState((windowState() & ~Qt::WindowMinimized) | Qt::WindowActive);
  raise();
  activateWindow();
  openFiles(paths);
}

void MainWindow::openDialog() {
  openFiles(QFileDialog::getOpenFileNames(
      this, tr("Open a session, a mask, a model's config, or q, k and v; two configs to compare them"), {},
      tr("Sessions, masks and configs (*.vqscope *.py *.npy *.npz *.safetensors *.pt *.pth *.pkl *.csv *.tsv *.txt "
         "*.png *.json *.gguf *.html *.md *.svg *.pdf);;All files (*)")));
}

/// Notes on cells, and the report that has them.
void MainWindow::connectNotes() {
  connect(&m_report, &PageReport::notified, this, &MainWindow::showMessage);
  connect(&m_pages, &PageStack::cellPicked, &m_report, &PageReport::setCell);
  NotesList* notes = m_docks.inspector()->notes();
  connect(&m_workbench, &Workbench::changed, notes, [this, notes] {
    const ShownPage& page = m_workbench.current();
    notes->setNotes(notes_of(page.notes, page.method));
  });
  const auto say = [this](const Result<void>& done) {
    if (!done) showMessage(text(done.error().message), true);
  };
  connect(notes, &NotesList::chosen, this, [this, say](const Cell& cell) { say(currentPage()->goTo(cell)); });
  connect(notes, &NotesList::editRequested, this, [this](const Cell& cell) { currentPage()->editNote(cell); });
  connect(notes, &NotesList::removeRequested, this,
          [this, say](const Cell& cell) { say(currentPage()->setNote(cell, {})); });
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  addTo(file, tr("&New session"), QKeySequence::New, [this] { m_files.openNew(); });
  addTo(file, tr("&Open…"), QKeySequence::Open, [this] { openDialog(); });
  auto* recent = new RecentMenu([this] { return m_start.recent(); }, this);
  connect(recent, &RecentMenu::fileChosen, this, [this](const QString& path) { openFiles({path}); });
  connect(recent, &RecentMenu::clearRequested, &m_start, &StartActions::forgetRecent);
  hideFromSearch(*recent);
  file->addMenu(recent);
  addTo(file, tr("&Save session"), QKeySequence::Save, [this] { m_files.save(false); });
  addTo(file, tr("Save session &as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { m_files.save(true); });
  QAction* restore = addTo(file, tr("&Restore last session"), {}, [this] { m_files.restoreOffered(); });
  restore->setToolTip(tr("Opens the session that was not closed properly"));
  restore->setEnabled(false);
  connect(&m_files, &SessionFiles::offerChanged, restore, &QAction::setEnabled);
  addTo(file, tr("&Import mask…"), {}, [this] { m_pages.maskSource()->chooseImport(); });
  addTo(file, tr("Import mask as &B…"), {}, [this] {
    m_workbench.showPage("masks");
    currentPanel()->maskSource()->chooseImport(true);
  });
  addTo(file, tr("Open mo&del…"), {}, [this] { m_models.choose(); });
  addTo(file, tr("Open &capture…"), {}, [this] {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Choose a capture: a folder with a file a layer"));
    if (!folder.isEmpty()) openFiles({folder});
  });
  addTo(file, tr("Compare captures…"), {}, [this] { m_captures.chooseOther({}); });
  QAction* capture = addTo(file, tr("Bac&k to the capture"), {}, [this] { m_captures.showAgain(); });
  capture->setEnabled(false);
  connect(&m_captures, &CaptureActions::hasCaptureChanged, capture, &QAction::setEnabled);
  addTo(file, tr("&Watch folder…"), {}, [this] {
    m_workbench.showPage("masks");
    m_folder->choose();
  });
  addTo(file, tr("&Paste model config"), {}, [this] { m_models.paste(); });
  QMenu* models = file->addMenu(tr("&Model configs"));
  for (const QString& preset : QDir(QStringLiteral(":/configs")).entryList())
    addTo(models, QFileInfo(preset).completeBaseName(), {},
          [this, path = QStringLiteral(":/configs/") + preset] { openFile(path); });
  file->addSeparator();
  m_exportPage = addTo(file, tr("&Export…"), QKeySequence(QStringLiteral("Ctrl+E")), [this] { m_export.exportPage(); });
  addTo(file, tr("Pin t&his view for a figure"), QKeySequence(QStringLiteral("Ctrl+Shift+E")),
        [this] { m_export.pinPage(); });
  addTo(file, tr("Export &block lists…"), {}, [this] { m_export.exportBlockLists(); });
  addTo(file, tr("&Print…"), QKeySequence::Print, [this] { m_export.printPage(); });
  addTo(file, tr("Repo&rt…"), QKeySequence(QStringLiteral("Ctrl+Shift+R")), [this] { m_report.writePage(); });
  addTo(file, tr("&Copy command line"), QKeySequence(QStringLiteral("Ctrl+Shift+C")),
        [this] { m_export.copyCommandLine(); });
  file->addSeparator();
  addTo(file, tr("&Quit"), QKeySequence::Quit, [this] { close(); });
}

void MainWindow::makeEditMenu() {
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QUndoStack& stack = m_workbench.undoStack();
  m_undo = stack.createUndoAction(this, tr("&Undo"));
  disconnect(m_undo, &QAction::triggered, &stack, nullptr);
  connect(m_undo, &QAction::triggered, &m_workbench, &Workbench::undo);
  m_undo->setShortcut(QKeySequence::Undo);
  m_redo = stack.createRedoAction(this, tr("&Redo"));
  // QKeySequence::Redo is one of the two, depending on the desktop; both work everywhere.
  m_redo->setShortcuts({QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
  edit->addAction(m_undo);
  edit->addAction(m_redo);
  edit->addSeparator();
  addTo(edit, tr("N&ote on a cell…"), QKeySequence(QStringLiteral("N")), [this] { currentPage()->editNoteHere(); });
  edit->addSeparator();
  addTo(edit, tr("Copy code for &PyTorch"), {}, [this] { copyCode(SnippetLibrary::torch); });
  addTo(edit, tr("Copy code for &NumPy"), {}, [this] { copyCode(SnippetLibrary::numpy); });
}

void MainWindow::copyCode(SnippetLibrary library) {
  const Method* method = currentPage()->mainMethod();
  if (!method || !has_snippet(*method))
    return showMessage(tr("There is no code for this page; masks have theirs under Checks > Backends"), true);
  const auto code = encoding_snippet(*method, carried_values(*method, m_workbench.current().values), library);
  if (!code) return showMessage(text(code.error().message), true);
  QApplication::clipboard()->setText(text(*code));
  showMessage(tr("Copied Python that computes %1").arg(text(method->title)), false);
}

void MainWindow::testMask() {
  const MaskTest test = mask_test();
  const auto values = test.values(m_workbench.current().values);
  if (!values) return showMessage(text(values.error().message), true);
  openMethod(std::string(test.method), *values);
}

void MainWindow::makeViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  int number = 1;
  for (const auto& room : room_infos())
    addTo(view, text(room.title), QKeySequence(QStringLiteral("Ctrl+%1").arg(number++)),
          [this, &room] { m_topBar->showRoom(room.id); });
  view->addSeparator();
  addTo(view, tr("&Go to cell…"), QKeySequence(QStringLiteral("G")), [this] { goTo(); });
  addTo(view, tr("&Fit"), QKeySequence(QStringLiteral("F")), [this] { currentPage()->fit(); });
  addTo(view, tr("Zoom &in"), QKeySequence::ZoomIn, [this] { currentPage()->zoom(0.5); });
  addTo(view, tr("Zoom &out"), QKeySequence::ZoomOut, [this] { currentPage()->zoom(2); });
  addTo(view, tr("Go to the first &difference"), QKeySequence(QStringLiteral("D")),
        [this] { m_docks.inspector()->insight()->goToFirstDifference(); });
  addTo(view, tr("&What is this mask?"), {}, [this] {
    m_docks.raiseInspector();
    m_docks.inspector()->insight()->recogniseMasks();
  });
  addTo(view, tr("&Survey of position encodings…"), QKeySequence(QStringLiteral("Ctrl+L")),
        [this] { m_workbench.showPage("survey"); });
  auto* areas = new AreaFocus(this);
  addTo(view, tr("&Next area"), QKeySequence(QStringLiteral("F6")), [areas] { areas->step(1); });
  addTo(view, tr("&Previous area"), QKeySequence(QStringLiteral("Shift+F6")), [areas] { areas->step(-1); });
  view->addSeparator();
  for (QAction* toggle : m_docks.toggles()) view->addAction(toggle);
  view->addAction(m_text.toggle());
  view->addMenu(tr("R&ows of the mask"))->addActions(rowDebugger()->actions());
  view->addMenu(tr("Sa&mples and heads"))->addActions(m_samples.actions());
  m_names = addTo(view, tr("Parameter na&mes"), {}, [this] { keepLayout(); });
  m_names->setToolTip(tr("Shows the name for --set and session files beside the label of each parameter"));
  m_names->setCheckable(true);
  connect(m_names, &QAction::toggled, &RowLabel::setNamesShown);
  QMenu* theme = view->addMenu(tr("&Theme"));
  for (const auto& [title, name] :
       {std::pair{tr("As the desktop"), ""}, std::pair{tr("Light"), "light"}, std::pair{tr("Dark"), "dark"}})
    addTo(theme, title, {}, [this, name = QString::fromLatin1(name)] { chooseTheme(name); });
}

void MainWindow::setTheme(const QString& name) {
  m_theme = name;
  const Theme theme = name == QLatin1String("dark")    ? Theme::dark
                      : name == QLatin1String("light") ? Theme::light
                                                       : systemTheme();
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), theme);
}

void MainWindow::chooseTheme(const QString& name) {
  setTheme(name);
  keepLayout();
}

/// Kept at once: a program that is killed writes nothing at its end.
void MainWindow::keepLayout() {
  if (const auto written = writeLayout(layoutState(), savedLayoutPath()); !written)
    showMessage(text(written.error().message), true);
}

void MainWindow::followDesktop() {
  if (m_theme.isEmpty()) setTheme({});
}

void MainWindow::makeHelpMenu() {
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  addTo(help, tr("&Guide"), QKeySequence::HelpContents,
        [this] { m_start.showGuide(text(room_of(m_workbench.session().current).id)); });
  addTo(help, tr("&Keys and mouse"), {}, [this] { showKeys(this); });
  addTo(help, tr("&Sessions and recovery"), {}, [this] { showRecoveryHelp(this); });
  addTo(help, tr("&About VQScope"), {}, [this] { showAbout(this); });
}

void MainWindow::makeTopBar() {
  m_topBar = new TopBar(m_workbench, {{m_undo, "undo"}, {m_redo, "redo"}, {m_exportPage, "export"}}, this);
  addToolBar(m_topBar);
  addToolBarBreak();
  addToolBar(subjectToolBar(m_subject, this));
  connectSearch();
}

void MainWindow::connectSearch() {
  SearchTargets targets;
  targets.openMethod = [this](const std::string& id) { openMethod(id, {}); };
  targets.openEncoding = [this](const SurveyRow& row) { openMethod(row.method->id, row.values); };
  targets.openQuestion = [this](const ExperimentPreset& preset) {
    openMethod(preset.experiment->id, preset.first_values());
  };
  targets.goToParameter = [this](const std::string& page, const QString& name) { goToParameter(page, name); };
  targets.setValue = [this](const ValueTarget& target) { setValue(target); };
  targets.openGallery = [this](const QString& id) { m_start.openGallery(id); };
  targets.openGuide = [this](const QString& page, const QString& anchor) { m_start.showGuide(page, anchor); };
  targets.openFile = [this](const QString& path) { openFiles({path}); };
  ActionSearch& search = *m_topBar->search();
  search.setSource([this, targets]() mutable {
    targets.recent = m_start.recent();
    targets.room = room_of(m_workbench.session().current).id;
    targets.tableCopies = shownTableCopies(*this);
    return searchEntries(*menuBar(), currentPage()->menus(), targets);
  });
  search.setTyped([this](const QString& typed) { return typedEntries(typed, typedTargets()); });
  search.setHistory(savedCommandsPath());
}

TypedTargets MainWindow::typedTargets() {
  const std::string& page = m_workbench.session().current;
  const PageSides& sides = m_workbench.sidesOf(page);
  const auto specs = (currentPanel()->showsOther() ? sides.other : sides.values)->of_shown();
  return {page,
          {specs.begin(), specs.end()},
          currentPanel()->shownValues(),
          [this](const std::string& id) -> const ParameterValues& { return m_workbench.page(id).values; },
          [this](const ParameterValues& values) { currentPanel()->setValues(values); },
          [this](const std::string& method, const ParameterValues& values) { openMethod(method, values); }};
}

}  // namespace vqscope
