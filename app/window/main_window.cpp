// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/focus_guard.h"
#include "app/window/recovery_bar.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "widgets/dialog/config_dialog.h"
#include "widgets/dialog/export_dialog.h"
#include "widgets/dialog/go_to_dialog.h"
#include "widgets/import/config_file.h"
#include "widgets/mask/contract_panel.h"
#include "widgets/mask/mask_insight.h"
#include "widgets/mask/mask_source.h"
#include "widgets/mask/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/value_summary.h"
#include "widgets/theme/palette.h"

#include <QAbstractButton>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QScreen>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr qsizetype longestCommandLine = 65536;  // of many systems 128 KiB a word

QString readoutOf(const CellReport& report) {
  QStringList parts;
  for (const auto& [name, value] : report.facts) parts << text(name) + QLatin1Char(' ') + text(value);
  return parts.join(QStringLiteral("   "));
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_pageStack(new QStackedWidget),
      m_panelStack(new QStackedWidget),
      m_inspector(new InspectorPanel),
      m_checks(new ContractPanel(m_workbench)),
      m_message(new MessageBar),
      m_recovery(new RecoveryBar) {
  setWindowTitle(QStringLiteral("VQScope[*]"));
  setAcceptDrops(true);
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_recovery);
  column->addWidget(m_pageStack, 1);
  column->addWidget(m_message);
  setCentralWidget(centre);
  makeDocks();
  makeMenus();
  makeTopBar();
  makeStatusBar();
  fillSearch();
  resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
  connect(&m_workbench, &Workbench::changed, this, &MainWindow::onChanged);
  connect(&m_workbench, &Workbench::leaving, this, &MainWindow::enterTyped);
  new FocusGuard(this);
  connect(&m_workbench.undoStack(), &QUndoStack::cleanChanged, this, [this](bool clean) { setWindowModified(!clean); });
  connectKeeper();
  onChanged();
}

/// Who has the focus commits what is typed when it goes, and QWidget goes after the workbench that takes it.
MainWindow::~MainWindow() { enterTyped(); }

bool MainWindow::isBusy() const {
  return currentPage()->isBusy() || m_rowDebugger->isBusy() || currentPanel()->isBusy() || m_inspector->isBusy() ||
         m_checks->isBusy();
}

WorkspacePage* MainWindow::currentPage() const { return m_shown->page; }
ParameterPanel* MainWindow::currentPanel() const { return m_shown->panel; }

MainWindow::Page& MainWindow::pageOf(const std::string& id) {
  if (const auto there = m_pages.find(id); there != m_pages.end()) return there->second;
  Page made;
  const WorkspaceInfo& info = *find_workspace_info(id);
  made.page = makeWorkspacePage(m_workbench, info, this);
  made.panel = new ParameterPanel(m_workbench, info, this);
  m_pageStack->addWidget(made.page);
  m_panelStack->addWidget(scrolled(made.panel));
  connectPage(made.page);
  connect(made.panel, &ParameterPanel::said, this, &MainWindow::say);
  connect(made.panel, &ParameterPanel::draftChanged, made.page, &WorkspacePage::setDraftProblem);
  return m_pages[id] = made;
}

void MainWindow::connectPage(WorkspacePage* page) {
  connect(page, &WorkspacePage::readoutShown, this, &MainWindow::showReadout);
  connect(page, &WorkspacePage::cellPicked, this, [this, page](const Cell& cell) {
    if (page == currentPage()) m_rowDebugger->setCell(cell);
  });
  connect(page, &WorkspacePage::readoutPending, this, [this, page] {
    if (page != currentPage()) return;
    m_readout->setText(tr("reading the cell…"));
    m_inspector->awaitCell();
  });
  connect(page, &WorkspacePage::frameShown, this, &MainWindow::showFrame);
  connect(page, &WorkspacePage::answered, this, [this, page] {
    if (page == currentPage()) showAnswers();
  });
  connect(page, &WorkspacePage::freshnessChanged, this, [this, page] {
    if (page == currentPage()) showFreshness();
  });
  // A button that is held while its page goes is still clicked when it is let go.
  connect(page, &WorkspacePage::exportRequested, this, [this, page](const ExportTarget& target) {
    if (page == currentPage()) exportTarget(target);
  });
  connect(page, &WorkspacePage::methodAsked, this, [this, page](const QString& id) {
    if (page == currentPage()) openMethod(id.toStdString(), {});
  });
}

/// To make a page or to fill a form may lead to an edit, which is shown when this change is.
void MainWindow::onChanged() {
  m_stale = true;
  if (m_showing) return;
  const QScopedValueRollback showing(m_showing, true);
  while (std::exchange(m_stale, false)) showPage(pageOf(m_workbench.session().current));
}

void MainWindow::enterTyped() {
  QWidget* typed = focusWidget();
  if (typed && m_panelStack->isAncestorOf(typed)) typed->clearFocus();
}

void MainWindow::showPage(Page& shown) {
  m_shown = &shown;
  const bool turned = m_pageStack->currentWidget() != shown.page;
  m_pageStack->setCurrentWidget(shown.page);
  const auto index = m_pageStack->indexOf(shown.page);
  m_panelStack->setCurrentIndex(index);
  for (auto* tab : m_tabs->buttons())
    tab->setChecked(tab->property("workspace").toString() == text(shown.page->info().id));
  m_inspector->setMethod(shown.page->mainMethod(), m_workbench.current().values);
  m_message->clear();
  // Numbers of a frame belong to maps.
  if (!shown.page->extent())
    for (auto* label : {m_exact, m_frame, m_bytes}) label->clear();
  shown.panel->sync();
  shown.page->sync();
  showDocks();
  if (turned) showAnswers();
  if (turned) shown.page->announce();
  showFreshness();
}

void MainWindow::showReadout(const std::optional<Readout>& readout) {
  if (sender() != currentPage()) return;
  m_readout->setText(readout ? readoutOf(readout->report) : QString());
  const auto& values = m_workbench.current().values;
  m_inspector->setMethod(readout ? readout->method : currentPage()->mainMethod(),
                         readout ? readout->values.value_or(values) : values);
  if (!readout) return m_inspector->showNothing();
  m_inspector->showCell(readout->report);
}

void MainWindow::showFrame(const FrameReport& report) {
  if (sender() != currentPage()) return;
  m_exact->setText(!report.freshness.isCurrent() ? report.freshness.badge()
                   : report.exact                ? tr("exact")
                                                 : tr("sampled"));
  m_frame->setText(tr("frame %1 ms").arg(report.milliseconds, 0, 'f', 1));
  m_bytes->setText(text(byte_count(report.bytes)));
}

void MainWindow::say(const QString& sentence, bool bad) { m_message->say(sentence, bad); }

void MainWindow::openFile(const QString& path) {
  if (isConfigFile(path)) {
    const auto report = readConfigFile(path);
    return report ? showConfig(QFileInfo(path).fileName(), *report) : say(text(report.error().message), true);
  }
  if (isMaskFile(path)) {
    m_workbench.showWorkspace("masks");
    return currentPanel()->maskSource()->importFile(path);
  }
  openSession(path);
}

void MainWindow::openDialog() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open a session, a mask or a model's config"), {},
      tr("Sessions, masks and configs (*.vqscope *.py *.npy *.npz *.safetensors *.csv *.tsv *.txt *.png *.json);;"
         "All files (*)"));
  if (!path.isEmpty()) openAsked(path);
}

void MainWindow::openAsked(const QString& path) {
  if (isMaskFile(path) || isConfigFile(path) || mayDiscard()) openFile(path);
}

void MainWindow::exportTarget(const ExportTarget& target) {
  if (refuses()) return;
  auto targets = currentPage()->exportTargets();
  if (targets.empty()) return;
  const auto same = std::ranges::find_if(
      targets, [&](const ExportTarget& each) { return each.method == target.method && each.values == target.values; });
  const auto index = static_cast<std::size_t>(same == targets.end() ? 0 : same - targets.begin());
  ExportDialog dialog(targets, index, m_workbench.current(), m_exportChoices, this);
  // What could not be written leaves the dialog as it was filled in, for another try.
  while (dialog.exec() == QDialog::Accepted) {
    m_exportChoices = dialog.choices();
    const auto written = exportTo(dialog, this);
    if (!written) {
      QMessageBox::warning(this, tr("Export"), text(written.error().message));
      continue;
    }
    if (written->isEmpty()) return;
    m_exportChoices.folder = QFileInfo(*written).absolutePath();
    return say(tr("Wrote %1, %2").arg(*written, text(byte_count(static_cast<double>(QFileInfo(*written).size())))),
               false);
  }
}

std::optional<ExportTarget> MainWindow::mainTarget() {
  const auto targets = currentPage()->exportTargets();
  if (!targets.empty()) return targets.front();
  say(tr("The survey has no numbers to export; vqscope list METHOD prints the entry of one method"), true);
  return std::nullopt;
}

void MainWindow::exportCurrent() {
  if (const auto target = mainTarget()) exportTarget(*target);
}

void MainWindow::goTo() {
  const auto extent = currentPage()->extent();
  if (!extent)
    return say(currentPage()->freshness().isCurrent() ? tr("This page has no matrix with cells")
                                                      : currentPage()->freshness().refusal(),
               true);
  GoToDialog(
      *extent, [this](Cell cell) { return currentPage()->goTo(cell); }, this)
      .exec();
}

void MainWindow::showConfig(const QString& name, const ConfigReport& report) {
  auto* dialog = new ConfigDialog(name, report, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ConfigDialog::opened, this,
          [this](const ConfigView& view) { openMethod(view.method, view.values); });
  // A config named on the command line is opened before the window is.
  QTimer::singleShot(0, dialog, &QDialog::show);
}

void MainWindow::pasteConfig() {
  const auto report = read_model_config(QApplication::clipboard()->text().toStdString());
  if (report) return showConfig(tr("Clipboard"), *report);
  say(tr("The clipboard does not contain a model config: %1").arg(text(report.error().message)), true);
}

void MainWindow::openMethod(const std::string& id, const ParameterValues& values) {
  const WorkspaceInfo* info = workspace_of(*find_method(id));
  WorkspaceState next = *find_workspace(m_workbench.session(), info->id);
  if (std::ranges::count(info->choices(), id) > 0) next.method = id;
  for (const auto& [name, value] : values.map()) next.values.set(name, value);
  m_workbench.showWorkspace(info->id);
  if (const auto shown = m_workbench.edit(tr("Show %1").arg(text(id)), next); !shown)
    say(text(shown.error().message), true);
}

void MainWindow::copyCommandLine() {
  if (refuses()) return;
  const auto target = mainTarget();
  if (!target) return;
  const WorkspaceState& look = m_workbench.current();
  const QString id = text(target->method->id);
  QString line = QStringLiteral("vqscope export %1%2").arg(id, setArguments(*target->method, target->values));
  if (const auto minus = subtrahend(*target->method, look))
    line += minusArguments(*target->method, target->values, *minus);
  line += lookArguments(*target->method, look, currentPage()->extent());
  line += QStringLiteral(" --out %1.png").arg(id);
  if (line.size() > longestCommandLine)
    return say(tr("The command for this view would be %1 characters long. Save the session and pass it with --session")
                   .arg(line.size()),
               true);
  QApplication::clipboard()->setText(line);
  say(tr("Copied: %1").arg(text(shortened(line.toStdString(), 200))), false);
}

void MainWindow::setTheme(const QString& name) {
  m_theme = name;
  const Theme theme = name == QLatin1String("dark")    ? Theme::dark
                      : name == QLatin1String("light") ? Theme::light
                                                       : systemTheme();
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), theme);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty()) openAsked(urls.front().toLocalFile());
}

}  // namespace vqscope
