// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "core/base/text.h"
#include "widgets/plot/value_summary.h"
#include "widgets/session/session_json.h"
#include "widgets/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/contract_panel.h"
#include "widgets/view/export_dialog.h"
#include "widgets/view/inspector_panel.h"
#include "widgets/view/parameter_panel.h"
#include "widgets/view/save_path.h"

#include <QAbstractButton>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int layoutVersion = 1;

QString readoutOf(const CellReport& report) {
  QStringList parts;
  for (const auto& [name, value] : report.facts) parts << text(name) + QLatin1Char(' ') + text(value);
  return parts.join(QStringLiteral("   "));
}

QScrollArea* scrolled(QWidget* content) {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(content);
  return area;
}

QDockWidget* dock(QMainWindow* window, const QString& title, const char* name, QWidget* content, int width) {
  auto* made = new QDockWidget(title, window);
  made->setObjectName(QString::fromLatin1(name));
  made->setWidget(content);
  made->setMinimumWidth(width - 40);
  made->setTitleBarWidget(new QWidget(made));  // the headings inside say what it is
  return made;
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_pageStack(new QStackedWidget),
      m_panelStack(new QStackedWidget),
      m_inspector(new InspectorPanel),
      m_checks(new ContractPanel) {
  setWindowTitle(QStringLiteral("VQScope[*]"));
  setAcceptDrops(true);
  setCentralWidget(m_pageStack);
  makeDocks();
  makeMenus();
  makeTopBar();
  makeStatusBar();
  fillSearch();
  resize(1440, 900);
  connect(&m_workbench, &Workbench::changed, this, &MainWindow::onChanged);
  connect(&m_workbench.undoStack(), &QUndoStack::cleanChanged, this, [this](bool clean) { setWindowModified(!clean); });
  onChanged();
}

void MainWindow::makeDocks() {
  m_parameterDock = dock(this, tr("Parameters"), "parameters", m_panelStack, 288);
  m_inspectorDock = dock(this, tr("Inspector"), "inspector", scrolled(m_inspector), 264);
  addDockWidget(Qt::LeftDockWidgetArea, m_parameterDock);
  addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
  makeChecksDock();
  resizeDocks({m_parameterDock, m_inspectorDock}, {300, 264}, Qt::Horizontal);
}

void MainWindow::makeChecksDock() {
  m_checksDock = dock(this, tr("Checks"), "checks", m_checks, 264);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  tabifyDockWidget(m_inspectorDock, m_checksDock);
  m_checksDock->hide();
  connect(m_checks, &ContractPanel::cellPicked, this, [this](Cell cell) {
    if (const auto gone = currentPage()->goTo(cell); !gone) say(text(gone.error().message), true);
  });
  connect(m_checks, &ContractPanel::copied, this, [this](const QString& sentence) { say(sentence, false); });
}

/// Masks alone have something to check; elsewhere the dock would be an empty tab. Closed by hand it stays closed until
/// the next page of masks.
void MainWindow::showChecks(const WorkspacePage& page) {
  const auto given = page.contractCase();
  const bool any = given != nullptr;
  if (any != m_hasChecks) m_checksDock->setVisible(any);
  if (any && !m_hasChecks) m_inspectorDock->raise();
  m_hasChecks = any;
  m_checks->setCase(given);
}

WorkspacePage* MainWindow::currentPage() const { return m_pages.at(m_workbench.session().current).page; }
ParameterPanel* MainWindow::currentPanel() const { return m_pages.at(m_workbench.session().current).panel; }

MainWindow::Page& MainWindow::pageOf(const std::string& id) {
  Page& made = m_pages[id];
  if (made.page) return made;
  const WorkspaceInfo& info = *findWorkspaceInfo(id);
  made.page = makeWorkspacePage(m_workbench, info, this);
  made.panel = new ParameterPanel(m_workbench, info, this);
  m_pageStack->addWidget(made.page);
  m_panelStack->addWidget(scrolled(made.panel));
  connectPage(made.page);
  return made;
}

void MainWindow::connectPage(WorkspacePage* page) {
  connect(page, &WorkspacePage::cellShown, this, &MainWindow::showReport);
  connect(page, &WorkspacePage::curveShown, this, &MainWindow::showReport);
  connect(page, &WorkspacePage::frameShown, this, &MainWindow::showFrame);
  connect(page, &WorkspacePage::exportRequested, this, &MainWindow::exportTarget);
  connect(page, &WorkspacePage::problem, this, [this](const QString& sentence) { say(sentence, true); });
}

void MainWindow::onChanged() {
  Page& shown = pageOf(m_workbench.session().current);
  m_pageStack->setCurrentWidget(shown.page);
  const auto index = m_pageStack->indexOf(shown.page);
  m_panelStack->setCurrentIndex(index);
  for (auto* tab : m_tabs->buttons())
    tab->setChecked(tab->property("workspace").toString() == text(shown.page->info().id));
  m_inspector->setMethod(shown.page->mainMethod());
  say({}, false);
  // Numbers of a frame belong to maps.
  if (!shown.page->extent())
    for (auto* label : {m_exact, m_frame, m_bytes}) label->clear();
  shown.panel->sync();
  shown.page->sync();
  showChecks(*shown.page);
}

void MainWindow::showReport(const std::optional<CellReport>& report) {
  m_readout->setText(report ? readoutOf(*report) : QString());
  if (!report) return m_inspector->showNothing();
  m_inspector->showCell(*report);
}

void MainWindow::showFrame(const FrameReport& report) {
  m_exact->setText(report.exact ? tr("exact") : tr("sampled"));
  m_frame->setText(tr("frame %1 ms").arg(report.milliseconds, 0, 'f', 1));
  m_bytes->setText(text(byte_count(report.bytes)));
}

void MainWindow::say(const QString& sentence, bool bad) {
  m_message->setVisible(!sentence.isEmpty());
  m_message->setText(sentence);
  m_message->setToolTip(sentence);
  QPalette colours = m_message->palette();
  colours.setColor(QPalette::WindowText, bad ? currentPalette().error : currentPalette().secondary);
  m_message->setPalette(colours);
}

void MainWindow::openFile(const QString& path) {
  auto session = readSession(path);
  if (!session) return say(text(session.error().message), true);
  m_path = path;
  setWindowTitle(QStringLiteral("%1[*] – VQScope").arg(QFileInfo(path).fileName()));
  m_workbench.setSession(*session);
}

void MainWindow::openDialog() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open session"), {}, tr("Sessions (*.vqscope);;All files (*)"));
  if (!path.isEmpty() && mayDiscard()) openFile(path);
}

bool MainWindow::mayDiscard() {
  if (!m_workbench.isModified()) return true;
  return QMessageBox::question(this, tr("Unsaved session"),
                               tr("This session has changes that are not saved. Discard them?"),
                               QMessageBox::Yes | QMessageBox::No, QMessageBox::No) == QMessageBox::Yes;
}

bool MainWindow::save(bool askForPath) {
  QString path = m_path;
  if (askForPath || path.isEmpty())
    path = askSavePath(this, tr("Save session"), path.isEmpty() ? QStringLiteral("session.vqscope") : path,
                       tr("Sessions (*.vqscope)"), QStringLiteral("vqscope"));
  if (path.isEmpty()) return false;
  if (const auto saved = writeSession(m_workbench.session(), path); !saved) {
    say(text(saved.error().message), true);
    return false;
  }
  m_path = path;
  m_workbench.markSaved();
  setWindowTitle(QStringLiteral("%1[*] – VQScope").arg(QFileInfo(path).fileName()));
  return true;
}

void MainWindow::exportTarget(const ExportTarget& target) {
  auto targets = currentPage()->exportTargets();
  const auto same = std::ranges::find_if(
      targets, [&](const ExportTarget& each) { return each.method == target.method && each.values == target.values; });
  const auto index = static_cast<std::size_t>(same == targets.end() ? 0 : same - targets.begin());
  ExportDialog dialog(targets, index, m_workbench.current(), this);
  if (dialog.exec() == QDialog::Accepted) exportTo(dialog, this);
}

void MainWindow::exportCurrent() { exportTarget(currentPage()->exportTargets().front()); }

void MainWindow::goTo() {
  const auto extent = currentPage()->extent();
  if (!extent) return say(tr("This page has curves, no matrix with cells"), true);
  bool accepted = false;
  const QString given = QInputDialog::getText(
      this, tr("Go to cell"), tr("row, column   (0 to %1, 0 to %2)").arg(extent->rows - 1).arg(extent->cols - 1),
      QLineEdit::Normal, {}, &accepted);
  if (!accepted) return;
  const std::string typed = QString(given).replace(QLatin1Char(' '), QLatin1Char(',')).toStdString();
  std::vector<std::optional<Index>> numbers;
  for (const auto part : split(typed, ',')) {
    if (trimmed(part).empty()) continue;
    numbers.push_back(parse_index(part));
  }
  if (numbers.size() != 2 || !numbers[0] || !numbers[1])
    return say(tr("A cell is two whole numbers, row and column: 230, 317"), true);
  if (const auto gone = currentPage()->goTo({*numbers[0], *numbers[1]}); !gone) say(text(gone.error().message), true);
}

void MainWindow::copyCommandLine() {
  const ExportTarget target = currentPage()->exportTargets().front();
  const WorkspaceState& look = m_workbench.current();
  const QString id = text(target.method->id);
  QString line = QStringLiteral("vqscope export %1%2").arg(id, setArguments(*target.method, target.values));
  if (const auto minus = subtrahend(*target.method, look))
    line += minusArguments(*target.method, target.values, *minus);
  if (target.method->field()) line += lookArguments(look, *currentPage()->extent());
  line += QStringLiteral(" --out %1.png").arg(id);
  QApplication::clipboard()->setText(line);
  say(tr("Copied: %1").arg(line), false);
}

void MainWindow::setTheme(const QString& name) {
  m_theme = name;
  const Theme theme = name == QLatin1String("dark")    ? Theme::dark
                      : name == QLatin1String("light") ? Theme::light
                                                       : systemTheme();
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), theme);
}

WindowLayout MainWindow::layoutState() const { return {saveGeometry(), saveState(layoutVersion), m_theme}; }

void MainWindow::restoreSaved() {
  QStringList problems;
  if (const auto layout = readLayout(savedLayoutPath())) {
    setTheme(layout->theme);
    if (!restoreGeometry(layout->geometry) || !restoreState(layout->docks, layoutVersion))
      problems << tr("The window layout is of another version and was left out");
  } else if (layout.error().code != Errc::not_found) {
    problems << text(layout.error().message);
  }
  if (QFileInfo::exists(savedSessionPath())) {
    const auto session = readSession(savedSessionPath());
    if (session)
      m_workbench.setSession(*session);
    else
      problems << tr("The last session was left out: %1").arg(text(session.error().message));
  }
  if (!problems.isEmpty()) say(problems.join(QStringLiteral("; ")), true);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QDir().mkpath(QFileInfo(savedSessionPath()).absolutePath());
  // A full disk must not keep the window open; it is said where a person who looks for it finds it.
  for (const auto& written :
       {writeLayout(layoutState(), savedLayoutPath()), writeSession(m_workbench.session(), savedSessionPath())})
    if (!written) qWarning("vqscope: %s", written.error().message.c_str());
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && mayDiscard()) openFile(urls.front().toLocalFile());
}

}  // namespace vqscope
