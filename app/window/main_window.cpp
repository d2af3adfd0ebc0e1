// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/bars/search_entries.h"
#include "app/window/bars/status_line.h"
#include "app/window/bars/top_bar.h"
#include "app/window/recovery_bar.h"
#include "app/window/room/folder_watch.h"
#include "app/window/window_layout.h"
#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "widgets/dialog/go_to_dialog.h"
#include "widgets/mask/insight/mask_insight.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/page/model_page.h"
#include "widgets/page/plain_pages.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/panel/subject_bar.h"
#include "widgets/parts/keyboard_focus.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"

#include <QChildEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_files(m_workbench, this),
      m_pages(m_workbench, this),
      m_rooms(m_workbench, m_pages.panels(), this),
      m_export(m_workbench, m_pages, this),
      m_report(m_workbench, m_pages, this),
      m_docks(*this, m_workbench, m_rooms.side()),
      m_text(*this, m_pages, m_docks),
      m_models(m_workbench, this),
      m_samples(m_pages, this),
      m_start(m_workbench, this),
      m_tensors(m_workbench, this),
      m_captures(this),
      m_opener(m_files, m_models, m_tensors, m_pages),
      m_tensorFiles(m_workbench, m_pages),
      m_notifier(
          *this, WorkNotifier::desktop(*this),
          [this](const QString& title, const QString& words) { showMessage(tr("%1: %2").arg(title, words), false); }),
      m_folder(new FolderWatch(m_workbench, this)),
      m_subject(new SubjectBar(m_workbench, this)),
      m_status(new StatusLine(this)) {
  setAcceptDrops(true);
  makeCentre();
  connectParts();
  makeMenus();
  makeTopBar();
  setStatusBar(m_status);
  resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
  new FocusGuard(this);
  new MenuKey(this);
  onChanged();
}

/// A focused field commits its text when it is destroyed, and QWidget destroys it after the
/// workbench that would take the text.
MainWindow::~MainWindow() { m_pages.enterTyped(); }

void MainWindow::makeCentre() {
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_files.recoveryBar());
  column->addWidget(m_folder);
  column->addWidget(m_rooms.tabs());
  column->addWidget(m_pages.pages(), 1);
  setCentralWidget(centre);
}

void MainWindow::connectParts() {
  connect(&m_workbench, &Workbench::changed, this, &MainWindow::onChanged);
  connect(&m_workbench, &Workbench::opened, this, &MainWindow::forgetSession);
  connect(&m_workbench, &Workbench::leaving, &m_pages, &PageStack::enterTyped);
  connect(&m_workbench, &Workbench::adjusted, this, [this](const QString& sentence) { showMessage(sentence, false); });
  connect(&m_files, &SessionFiles::notified, this, &MainWindow::showMessage);
  connect(&m_files, &SessionFiles::saved, &m_start, &StartActions::addRecent);
  connect(&m_files, &SessionFiles::saving, &m_pages, &PageStack::enterTyped);
  connect(&m_export, &PageExport::notified, this, &MainWindow::showMessage);
  connectDocks();
  connectPages();
  connectModels();
  connectStart();
  connectOpener();
}

void MainWindow::connectDocks() {
  connect(&m_docks, &SideDocks::notified, this, &MainWindow::showMessage);
  connect(&m_docks, &SideDocks::keyPicked, this, &MainWindow::goToKey);
  connect(&m_docks, &SideDocks::samplePicked, &m_samples, &SampleActions::goTo);
  connect(&m_docks, &SideDocks::parameterRequested, this,
          [this](const QString& name) { goToParameter("masks", name); });
  connect(&m_samples, &SampleActions::cellRequested, this, &MainWindow::goToKey);
  connect(&m_docks, &SideDocks::testRequested, this, &MainWindow::testMask);
  connect(m_docks.inspector()->insight(), &MaskInsight::textWanted, this,
          [this](const Recognition& found, bool second) { currentPanel()->maskSource()->useAsText(found, second); });
  connect(m_folder, &FolderWatch::notified, this, &MainWindow::showMessage);
  connect(m_folder, &FolderWatch::fileShown, this, [this](const QString& path) {
    if (m_workbench.session().current == "masks") m_pages.maskSource()->follow(path);
  });
  connect(m_folder, &FolderWatch::fileLost, this,
          [this](const QString& sentence) { m_pages.maskSource()->setFileProblem(sentence); });
  connect(m_subject, &SubjectBar::notified, this, &MainWindow::showMessage);
  connect(m_subject, &SubjectBar::modelRequested, this, &MainWindow::openDialog);
  connect(m_subject, &SubjectBar::tensorsRequested, &m_tensors, &TensorActions::edit);
  connect(m_subject, &SubjectBar::pasteRequested, &m_models, &ModelActions::paste);
  connect(m_subject, &SubjectBar::presetRequested, this, &MainWindow::openFile);
}

void MainWindow::connectPages() {
  const auto show = [this](const QString& id, const ParameterValues& values) { openMethod(id.toStdString(), values); };
  connect(&m_pages, &PageStack::notified, this, &MainWindow::showMessage);
  connect(&m_pages, &PageStack::readoutShown, this, &MainWindow::showReadout);
  connect(&m_pages, &PageStack::readoutPending, this, [this] {
    m_status->awaitReadout();
    m_docks.inspector()->awaitCell();
  });
  connect(&m_pages, &PageStack::cellPicked, rowDebugger(), &RowDebugger::setCell);
  connect(&m_pages, &PageStack::frameShown, m_status, &StatusLine::showFrame);
  connect(&m_pages, &PageStack::answered, this, [this] {
    m_docks.showAnswers(*currentPage());
    m_text.showMask();
  });
  connect(&m_pages, &PageStack::freshnessChanged, this, &MainWindow::showFreshness);
  connect(&m_pages, &PageStack::sidesChanged, this, [this] { m_docks.setSidesShown(currentPage()->hasSides()); });
  connect(&m_pages, &PageStack::goToRequested, this, &MainWindow::goTo);
  connect(&m_pages, &PageStack::exportRequested, &m_export, &PageExport::exportTarget);
  connect(&m_pages, &PageStack::pinRequested, &m_export, &PageExport::pinTarget);
  connect(&m_rooms, &RoomViews::viewRequested, this, [this](const ListedView& view) {
    showMethod(*view.method, view.values, shownSide(*view.method));
    m_rooms.sync(currentPanel()->shownValues());  // nothing may have changed
  });
  connect(&m_pages, &PageStack::sideTurned, this, [this] {
    m_rooms.sync(currentPanel()->shownValues());
    m_docks.setEditedSide(currentPanel()->showsOther());
  });
  connect(&m_pages, &PageStack::viewRequested, this, show);
  connect(&m_models, &ModelActions::viewRequested, this, show);
  connect(&m_pages, &PageStack::samplesChecked, this, &MainWindow::showBatch);
  connect(&m_pages, &PageStack::maskOpened, this, [this](const QString& file) {
    m_workbench.showPage("masks");
    m_start.addRecent(file);
  });
}

void MainWindow::connectModels() {
  connect(&m_models, &ModelActions::notified, this, &MainWindow::showMessage);
  connect(&m_models, &ModelActions::fileProblemChanged, this, [this](const QString& sentence) {
    m_pages.setFileProblem("model", sentence);
    m_subject->setModelProblem(sentence);
  });
  connect(&m_tensorFiles, &TensorWatch::notified, this, &MainWindow::showMessage);
  connect(&m_models, &ModelActions::openRequested, this, &MainWindow::openDialog);
  connect(&m_models, &ModelActions::fileRequested, this, &MainWindow::openFile);
  connect(&m_models, &ModelActions::chosen, &m_start, &StartActions::addRecent);
  connect(&m_tensors, &TensorActions::notified, this, &MainWindow::showMessage);
}

void MainWindow::connectStart() {
  connect(&m_pages, &PageStack::made, this, [this](PageWidget* page) {
    if (auto* start = qobject_cast<StartPage*>(page)) m_start.attach(*start->view());
    if (auto* model = qobject_cast<ModelPage*>(page)) m_models.attach(*model);
    connect(page, &PageWidget::workEnded, this,
            [this, page](const QString& title, const QString& words, double seconds) {
              m_notifier.workEnded(title, words, seconds, page == currentPage());
            });
  });
  connect(&m_start, &StartActions::notified, this, &MainWindow::showMessage);
  connect(&m_start, &StartActions::fileRequested, this, [this](const QString& path) { openFiles({path}); });
  connect(&m_start, &StartActions::configRequested, this, &MainWindow::openDialog);
  connect(&m_start, &StartActions::restoreRequested, &m_files, &SessionFiles::restoreOffered);
  connect(&m_start, &StartActions::pageRequested, this,
          [this](const QString& id) { m_topBar->showRoom(id.toStdString()); });
  connect(&m_start, &StartActions::methodRequested, this,
          [this](const QString& id) { openMethod(id.toStdString(), {}); });
  connect(&m_start, &StartActions::presetRequested, this, [this](const QString& id) {
    if (const auto preset = require_experiment_preset(id.toStdString()))
      openMethod((*preset)->experiment->id, (*preset)->first_values());
  });
  connect(&m_start, &StartActions::maskFileRequested, this, [this] { m_pages.maskSource()->chooseImport(); });
  connect(&m_start, &StartActions::maskTextRequested, this, [this] {
    ParameterValues values;
    values.set("mask", std::string("custom"));
    openMethod("visibility", values);
    goToParameter("masks", QStringLiteral("mask_text"));
  });
  connect(&m_start, &StartActions::tensorsRequested, &m_tensors, [this] { m_tensors.open({}); });
}

bool MainWindow::isBusy() const {
  return currentPage()->isBusy() || m_pages.isReading() || m_opener.isBusy() || m_docks.isBusy();
}

/// Making a page or filling a form may cause an edit, which is shown together with this change.
void MainWindow::onChanged() {
  m_stale = true;
  if (m_showing) return;
  const QScopedValueRollback showing(m_showing, true);
  while (std::exchange(m_stale, false)) showPage();
}

void MainWindow::showPage() {
  const bool turned = m_pages.show(m_workbench.session().current);
  PageWidget& page = *currentPage();
  m_topBar->setPage(page.info().id);
  explain({});
  m_status->message()->clear();
  m_subject->sync();
  if (!page.extent()) m_status->clearFrame();  // only maps have frames
  m_pages.sync();
  showBatch();
  m_rooms.sync(currentPanel()->shownValues());
  m_docks.setEditedSide(currentPanel()->showsOther());
  m_docks.setMasksShown(page.hasMasks());
  m_docks.setSidesShown(page.hasSides());
  m_text.sync();
  if (turned) {
    m_docks.showAnswers(page);
    page.announce();
  }
  showFreshness();
}

/// While two sides are compared, the inspector shows both remarks.
void MainWindow::explain(const std::optional<Readout>& readout) {
  const ShownPage& page = m_workbench.current();
  const Method* main = currentPage()->mainMethod();
  const Method* method = readout ? readout->method : main;
  if (!method) return;
  if (method == main && page.compare != CompareMode::none)
    return m_docks.inspector()->setMethod(method, page.values, page.other);
  m_docks.inspector()->setMethod(method, readout ? readout->values.value_or(page.values) : page.values);
}

void MainWindow::showReadout(const std::optional<Readout>& readout) {
  m_status->showReadout(readout);
  InspectorPanel* inspector = m_docks.inspector();
  explain(readout);
  if (!readout) return inspector->showNothing();
  inspector->showCell(readout->report);
}

/// Marks everything beside the page that does not belong to the values in the form.
void MainWindow::showFreshness() {
  Freshness now = currentPage()->freshness();
  if (now.isOnRequest) now = {};  // the panels do not depend on the measurement
  m_docks.setFreshness(now);
  m_status->setCurrent(now.isCurrent());
}

void MainWindow::forgetSession() {
  m_opener.stop();
  rowDebugger()->forgetCell();
  m_report.forgetCell();
  m_pages.forget();
}

void MainWindow::showMessage(const QString& sentence, bool bad) { m_status->message()->showMessage(sentence, bad); }

void MainWindow::openMethod(const std::string& id, const ParameterValues& values) {
  showMethod(*find_method(id), values, Workbench::Side::a);
}

void MainWindow::showMethod(const Method& method, const ParameterValues& values, Workbench::Side side) {
  const std::string& page = page_of(method)->id;
  if (const auto shown = m_workbench.choose(tr("Show %1").arg(text(method.id)), page, method, values, side); !shown)
    showMessage(text(shown.error().message), true);
}

Workbench::Side MainWindow::shownSide(const Method& method) const {
  const bool here = page_of(method) == &currentPage()->info();
  return here && currentPanel()->showsOther() ? Workbench::Side::b : Workbench::Side::a;
}

/// On the page on top if its method has the parameter, else on the page of the target.
void MainWindow::setValue(const ValueTarget& target) {
  const Method* shown = find_method(m_workbench.current().method);
  const Method& method = shown && find_spec(shown->parameters, target.parameter) ? *shown : *find_method(target.method);
  ParameterValues values;
  values.set(target.parameter, target.value);
  showMethod(method, values, shownSide(method));
}

/// On the page on top, if it has the parameter.
void MainWindow::goToParameter(const std::string& page, const QString& name) {
  const auto focused = [&] {
    m_docks.raiseParameters();
    return currentPage()->hasSides() && currentPanel()->focusOn(name);
  };
  if (focused()) return;
  m_workbench.showPage(page);
  if (!focused()) showMessage(tr("%1 has no effect on the current view").arg(name), false);
}

void MainWindow::goTo() {
  const auto extent = currentPage()->extent();
  if (!extent)
    return showMessage(currentPage()->freshness().isCurrent() ? tr("This page has no matrix with cells")
                                                              : currentPage()->freshness().refusal(),
                       true);
  GoToDialog(
      *extent, [this](Cell cell) { return currentPage()->goTo(cell); }, this)
      .exec();
}

void MainWindow::goToKey(const Cell& cell) {
  if (const auto gone = currentPage()->goToKey(cell); !gone) showMessage(text(gone.error().message), true);
}

void MainWindow::showBatch() {
  const MaskSource* source = currentPanel()->maskSource();
  const BatchOverview batch = source ? source->overview() : BatchOverview();
  m_docks.setBatch(batch);
  m_samples.setBatch(batch);
}

WindowLayout MainWindow::layoutState() const {
  WindowLayout layout{.place = normalGeometry(), .maximized = isMaximized(), .theme = m_theme};
  if (layout.place.isEmpty()) layout.place = geometry();
  m_docks.storeIn(layout);
  m_text.storeIn(layout);
  layout.lists = m_rooms.shares();
  layout.names = m_names->isChecked();
  return layout;
}

void MainWindow::applyLayout(const WindowLayout& layout) {
  if (!layout.place.isEmpty()) {
    const QScreen* on = QGuiApplication::screenAt(layout.place.center());
    setGeometry(placeOnScreen(layout.place, (on ? on : screen())->availableGeometry()));
  }
  if (layout.maximized) setWindowState(windowState() | Qt::WindowMaximized);
  m_docks.apply(layout);
  m_text.apply(layout);
  m_rooms.setShares(layout.lists);
  m_names->setChecked(layout.names);
}

void MainWindow::restoreSaved() {
  QStringList problems;
  QString remark;
  if (const auto layout = readLayout(savedLayoutPath(), remark)) {
    setTheme(layout->theme);
    applyLayout(*layout);
    if (!remark.isEmpty()) problems << remark;
  } else if (layout.error().code != Errc::not_found) {
    problems << text(layout.error().message);
  }
  problems << m_files.begin([this] { return !isBusy(); });
  if (!problems.isEmpty()) showMessage(problems.join(QStringLiteral("; ")), true);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_pages.enterTyped();
  // A full disk must not keep the window open; the message goes to stderr.
  for (const auto& written : {writeLayout(layoutState(), savedLayoutPath()), m_files.finish()})
    if (!written) qWarning("vqscope: %s", written.error().message.c_str());
  QMainWindow::closeEvent(event);
}

/// QMainWindow makes the tabs of its docks.
bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::ChildPolished)
    if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) new DockTabs(tabs);
  return QMainWindow::event(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) paths << url.toLocalFile();
  openFiles(paths);
}

}  // namespace vqscope
