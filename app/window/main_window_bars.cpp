// SPDX-License-Identifier: GPL-3.0-or-later
// The window's bars and menus: what can be done, and where it is found.
#include "app/window/main_window.h"

#include "core/catalogue/registry.h"
#include "widgets/dialog/action_search.h"
#include "widgets/mask/mask_insight.h"
#include "widgets/mask/mask_source.h"
#include "widgets/mask/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"

#include <QApplication>
#include <QButtonGroup>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace vqscope {
namespace {

QLabel* statusLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setFont(scaledFont(monospaceFont(), 0.9));
  label->setTextFormat(Qt::PlainText);
  label->setContentsMargins(10, 0, 10, 0);
  return label;
}

}  // namespace

QAction* MainWindow::addTo(QMenu* menu, const QString& title, const QKeySequence& keys, std::function<void()> run) {
  QAction* action = menu->addAction(title, this, std::move(run));
  action->setShortcut(keys);
  return action;
}

void MainWindow::makeMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  addTo(file, tr("&New session"), QKeySequence::New, [this] { newSession(); });
  addTo(file, tr("&Open…"), QKeySequence::Open, [this] { openDialog(); });
  addTo(file, tr("&Save session"), QKeySequence::Save, [this] { save(false); });
  addTo(file, tr("Save session &as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { save(true); });
  m_restore = addTo(file, tr("&Restore last session"), {}, [this] { restoreOffered(); });
  m_restore->setToolTip(tr("Opens the session that was not closed properly"));
  m_restore->setEnabled(false);
  addTo(file, tr("&Import mask…"), {}, [this] {
    m_workbench.showWorkspace("masks");
    currentPanel()->maskSource()->askImport();
  });
  addTo(file, tr("&Paste model config"), {}, [this] { pasteConfig(); });
  QMenu* models = file->addMenu(tr("&Model configs"));
  for (const QString& preset : QDir(QStringLiteral(":/configs")).entryList())
    addTo(models, QFileInfo(preset).completeBaseName(), {},
          [this, path = QStringLiteral(":/configs/") + preset] { openFile(path); });
  file->addSeparator();
  m_export = addTo(file, tr("&Export…"), QKeySequence(QStringLiteral("Ctrl+E")), [this] { exportCurrent(); });
  addTo(file, tr("&Copy command line"), QKeySequence(QStringLiteral("Ctrl+Shift+C")), [this] { copyCommandLine(); });
  file->addSeparator();
  addTo(file, tr("&Quit"), QKeySequence::Quit, [this] { close(); });

  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QUndoStack& stack = m_workbench.undoStack();
  m_undo = stack.createUndoAction(this, tr("&Undo"));
  disconnect(m_undo, &QAction::triggered, &stack, nullptr);
  connect(m_undo, &QAction::triggered, &m_workbench, &Workbench::undo);
  m_undo->setShortcut(QKeySequence::Undo);
  m_redo = stack.createRedoAction(this, tr("&Redo"));
  // Which of the two is QKeySequence::Redo depends on the desktop; both are meant everywhere.
  m_redo->setShortcuts({QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
  edit->addAction(m_undo);
  edit->addAction(m_redo);

  QMenu* view = menuBar()->addMenu(tr("&View"));
  int number = 1;
  for (const auto& info : workspace_infos()) {
    const auto key = number <= 9 ? QKeySequence(QStringLiteral("Ctrl+%1").arg(number++)) : QKeySequence();
    addTo(view, text(info.title), key, [this, &info] { m_workbench.showWorkspace(info.id); });
  }
  view->addSeparator();
  addTo(view, tr("&Go to cell…"), QKeySequence(QStringLiteral("G")), [this] { goTo(); });
  addTo(view, tr("&Fit"), QKeySequence(QStringLiteral("F")), [this] { currentPage()->fit(); });
  addTo(view, tr("Zoom &in"), QKeySequence::ZoomIn, [this] { currentPage()->zoom(0.5); });
  addTo(view, tr("Zoom &out"), QKeySequence::ZoomOut, [this] { currentPage()->zoom(2); });
  addTo(view, tr("Go to the first &difference"), QKeySequence(QStringLiteral("D")),
        [this] { m_inspector->insight()->goToFirstDifference(); });
  addTo(view, tr("&What is this mask?"), {}, [this] { m_inspector->insight()->recogniseMasks(); });
  addTo(view, tr("&Survey of position encodings…"), QKeySequence(QStringLiteral("Ctrl+L")),
        [this] { m_workbench.showWorkspace("survey"); });
  view->addSeparator();
  for (const auto* dockOf : {m_parameterDock, m_inspectorDock, m_checksDock})
    view->addAction(dockOf->toggleViewAction());
  view->addAction(m_rowDockShown);
  view->addMenu(tr("R&ows of the mask"))->addActions(m_rowDebugger->actions());
  QMenu* theme = view->addMenu(tr("&Theme"));
  for (const auto& [title, name] :
       {std::pair{tr("As the desktop"), ""}, std::pair{tr("Light"), "light"}, std::pair{tr("Dark"), "dark"}})
    addTo(theme, title, {}, [this, name = QString::fromLatin1(name)] { setTheme(name); });

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  addTo(help, tr("&Keys and mouse"), QKeySequence::HelpContents, [this] { showKeys(); });
  addTo(help, tr("&Sessions and recovery"), {}, [this] { showRecoveryHelp(); });
  addTo(help, tr("&About VQScope"), {}, [this] { showAbout(); });
}

void MainWindow::makeTopBar() {
  auto* bar = new QToolBar(tr("Top bar"), this);
  bar->setObjectName(QStringLiteral("topBar"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  auto* name = new QLabel(QStringLiteral("VQScope"), bar);
  name->setProperty("class", "title");
  name->setContentsMargins(8, 0, 12, 0);
  bar->addWidget(name);

  QStringList titles;
  for (const auto& info : workspace_infos()) titles << text(info.title);
  const Segments segments = segmented(titles, bar);
  m_tabs = segments.group;
  for (std::size_t i = 0; i < workspace_infos().size(); ++i) {
    const WorkspaceInfo& info = workspace_infos()[i];
    auto* tab = m_tabs->button(static_cast<int>(i));
    tab->setProperty("workspace", text(info.id));
    tab->setToolTip(text(info.help));
    connect(tab, &QAbstractButton::clicked, this, [this, &info] { m_workbench.showWorkspace(info.id); });
  }
  bar->addWidget(segments.frame);
  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  m_search = new ActionSearch(bar);
  m_search->setMinimumWidth(90);  // at 1067 pixels the buttons beside it stay
  m_search->setMaximumWidth(340);
  bar->addWidget(m_search);
  auto* find = new QAction(this);
  find->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+P")));
  connect(find, &QAction::triggered, this, [this] {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();  // what was looked for last gives way
  });
  addAction(find);
  for (const auto& [action, iconName] :
       {std::pair{m_undo, "undo"}, std::pair{m_redo, "redo"}, std::pair{m_export, "export"}}) {
    action->setIcon(icon(iconName));
    bar->addAction(action);
  }
  addToolBar(bar);
}

void MainWindow::makeStatusBar() {
  m_readout = statusLabel(this);
  m_readout->setMinimumWidth(1);
  m_readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_exact = statusLabel(this);
  m_frame = statusLabel(this);
  m_bytes = statusLabel(this);
  m_bytes->setToolTip(tr("Memory used for the picture; no matrix is stored"));
  m_frame->setToolTip(tr("Time from a change to its pixels"));
  statusBar()->setSizeGripEnabled(false);
  statusBar()->addWidget(m_readout, 1);
  for (auto* label : {m_exact, m_frame, m_bytes}) statusBar()->addPermanentWidget(label);
}

void MainWindow::fillSearch() {
  std::vector<SearchEntry> entries;
  for (const auto* menu : menuBar()->findChildren<QMenu*>())
    for (QAction* action : menu->actions()) {
      if (action->isSeparator() || action->menu()) continue;
      entries.push_back({QString(action->text()).remove(QLatin1Char('&')), action->shortcut().toString(),
                         [action] { action->trigger(); }});
    }
  for (const auto& method : methods()) {
    const WorkspaceInfo* info = workspace_of(method);
    if (!info || method.run()) continue;  // a run is no picture
    entries.push_back(
        {text(method.title) + QStringLiteral("  ") + text(method.id), tr("method"), [this, info, &method] {
           WorkspaceState next = *find_workspace(m_workbench.session(), info->id);
           m_workbench.showWorkspace(info->id);
           if (std::ranges::count(info->choices(), method.id) == 0) return;
           next.method = method.id;
           if (const auto done = m_workbench.edit(tr("Show %1").arg(text(method.id)), next); !done)
             say(text(done.error().message), true);
         }});
  }
  for (const auto& info : workspace_infos())
    for (const auto& spec : workspace_parameters(info)) {
      const QString name = text(spec.name);
      const QString title = text(spec.title()) == name ? name : text(spec.title()) + QStringLiteral("  ") + name;
      entries.push_back({title, tr("%1 parameter").arg(text(info.title)), [this, &info, name] {
                           m_workbench.showWorkspace(info.id);
                           if (!currentPanel()->focusOn(name))
                             say(tr("%1 has no effect on the current view").arg(name), false);
                         }});
    }
  m_search->setEntries(std::move(entries));
}

void MainWindow::showKeys() {
  QMessageBox::information(
      this, tr("Keys and mouse"),
      tr("<table cellpadding='3'>"
         "<tr><td>Ctrl+1 … 9</td><td>the pages, in the order of their tabs</td></tr>"
         "<tr><td>Ctrl+L</td><td>survey of position encodings</td></tr>"
         "<tr><td>wheel, + −</td><td>zoom at the cursor</td></tr>"
         "<tr><td>drag</td><td>pan</td></tr>"
         "<tr><td>double click, F</td><td>fit the whole matrix</td></tr>"
         "<tr><td>click</td><td>pick a cell; arrow keys move it by one, with Shift by ten</td></tr>"
         "<tr><td>Alt+Up, Alt+Down</td><td>previous and next row in the row debugger</td></tr>"
         "<tr><td>F7, F8, F9</td><td>next row without a visible key, next row that differs, next row that breaks a "
         "rule; with Shift the previous one</td></tr>"
         "<tr><td>G</td><td>go to a cell: query, key</td></tr>"
         "<tr><td>D</td><td>go to the first cell in which masks A and B differ</td></tr>"
         "<tr><td>Ctrl+Z, Ctrl+Shift+Z</td><td>undo and redo any parameter change</td></tr>"
         "<tr><td>Ctrl+E</td><td>export figures and numbers</td></tr>"
         "<tr><td>Ctrl+Shift+C</td><td>copy the command that exports the current view</td></tr>"
         "<tr><td>Ctrl+Shift+P</td><td>search actions and methods</td></tr></table>"));
}

void MainWindow::showRecoveryHelp() {
  QMessageBox::information(
      this, tr("Sessions and recovery"),
      tr("<p>Each undo step is written to a journal in %1. After a crash the next start offers that session: "
         "<b>Restore</b> opens it, <b>Discard</b> deletes it, and × hides the offer; <b>File &gt; Restore last "
         "session</b> still takes it.</p>"
         "<p>Closing the window keeps the session, saved or not, and the next start opens it.</p>"
         "<p>A session with an invalid value opens with the default in its place, and a message names the value. A "
         "last session that cannot be read is copied to a file ending in .damaged.</p>"
         "<p>A greyed result belongs to previous values: the new one is being computed, or an error in the form must "
         "be fixed first. Until then it cannot be exported.</p>")
          .arg(stateFolder().toHtmlEscaped()));
}

void MainWindow::showAbout() {
  QMessageBox::about(this, tr("About VQScope"),
                     tr("<p><b>VQScope</b></p><p>See how attention knows about position: T5 buckets, visibility masks, "
                        "RoPE angles and extrapolation curves, exact at any length.</p>"
                        "<p>Free software under the GNU General Public License, version 3 or later.</p>"));
}

}  // namespace vqscope
