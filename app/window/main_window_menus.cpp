// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menus, top bar and search.
#include "app/window/main_window.h"

#include "app/window/bars/help_boxes.h"
#include "app/window/bars/search_entries.h"
#include "app/window/bars/top_bar.h"
#include "core/encoding/snippet/snippet_library.h"
#include "widgets/mask/mask_insight.h"
#include "widgets/mask/mask_source.h"
#include "widgets/mask/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/panel/subject_bar.h"
#include "widgets/parts/text.h"

#include <QDir>
#include <QFileInfo>
#include <QMenuBar>

namespace vqscope {

QAction* MainWindow::addTo(QMenu* menu, const QString& title, const QKeySequence& keys, std::function<void()> run) {
  QAction* action = menu->addAction(title, this, std::move(run));
  action->setShortcut(keys);
  return action;
}

void MainWindow::makeMenus() {
  makeFileMenu();
  makeEditMenu();
  makeViewMenu();
  makeHelpMenu();
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  addTo(file, tr("&New session"), QKeySequence::New, [this] { m_files.openNew(); });
  addTo(file, tr("&Open…"), QKeySequence::Open, [this] { openDialog(); });
  addTo(file, tr("&Save session"), QKeySequence::Save, [this] { m_files.save(false); });
  addTo(file, tr("Save session &as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { m_files.save(true); });
  QAction* restore = addTo(file, tr("&Restore last session"), {}, [this] { m_files.restoreOffered(); });
  restore->setToolTip(tr("Opens the session that was not closed properly"));
  restore->setEnabled(false);
  connect(&m_files, &SessionFiles::offerChanged, restore, &QAction::setEnabled);
  addTo(file, tr("&Import mask…"), {}, [this] {
    m_workbench.showPage("masks");
    currentPanel()->maskSource()->chooseImport();
  });
  addTo(file, tr("&Paste model config"), {}, [this] { m_models.paste(); });
  QMenu* models = file->addMenu(tr("&Model configs"));
  for (const QString& preset : QDir(QStringLiteral(":/configs")).entryList())
    addTo(models, QFileInfo(preset).completeBaseName(), {},
          [this, path = QStringLiteral(":/configs/") + preset] { openFile(path); });
  file->addSeparator();
  m_exportPage = addTo(file, tr("&Export…"), QKeySequence(QStringLiteral("Ctrl+E")), [this] { m_export.exportPage(); });
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
  addTo(edit, tr("Copy code for &PyTorch"), {}, [this] { copyCode(SnippetLibrary::torch); });
  addTo(edit, tr("Copy code for &NumPy"), {}, [this] { copyCode(SnippetLibrary::numpy); });
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
  view->addSeparator();
  for (QAction* toggle : m_docks.toggles()) view->addAction(toggle);
  view->addMenu(tr("R&ows of the mask"))->addActions(rowDebugger()->actions());
  QMenu* theme = view->addMenu(tr("&Theme"));
  for (const auto& [title, name] :
       {std::pair{tr("As the desktop"), ""}, std::pair{tr("Light"), "light"}, std::pair{tr("Dark"), "dark"}})
    addTo(theme, title, {}, [this, name = QString::fromLatin1(name)] { chooseTheme(name); });
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
  SearchTargets targets;
  targets.openMethod = [this](const std::string& id) { openMethod(id, {}); };
  targets.goToParameter = [this](const std::string& page, const QString& name) { goToParameter(page, name); };
  targets.setValue = [this](const ValueTarget& target) { setValue(target); };
  targets.openGallery = [this](const QString& id) { m_start.openGallery(id); };
  targets.openGuide = [this](const QString& page, const QString& anchor) { m_start.showGuide(page, anchor); };
  m_topBar->search()->setSource([this, targets] { return searchEntries(*menuBar(), currentPage()->menus(), targets); });
}

}  // namespace vqscope
