// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/side_docks.h"

#include "widgets/mask/checks/lint_panel.h"
#include "widgets/mask/insight/mask_insight.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/parts/parts.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QScreen>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// Between panels at both sides, the page of a narrower window has less than half of its width.
constexpr int narrowWindow = 960;  // pixels
/// Beside a row debugger of three lines and a table, the maps of a lower window are mere strips.
constexpr int compactWindow = 860;  // pixels
/// Beside any table of keys.
constexpr int lowWindow = 640;

/// All panels and the page need less: a window on a smaller screen becomes narrow at once.
bool isNarrow(const QMainWindow& window) { return window.width() < narrowWindow; }

QDockWidget* dock(QMainWindow& window, const QString& title, const char* name, QWidget* content, int width) {
  auto* made = new QDockWidget(title, &window);
  made->setObjectName(QString::fromLatin1(name));
  made->setWidget(content);
  made->setMinimumWidth(width - 40);
  made->setTitleBarWidget(new QWidget(made));  // the headings inside name the dock
  return made;
}

/// What the searches of the row debugger go through.
SearchedSamples searchedIn(const BatchOverview& batch) {
  SearchedSamples samples{batch.samples, batch.heads, batch.sample, batch.head};
  if (batch.looks)
    for (const BatchLook& look : batch.looks->all) samples.groups.push_back(look.group);
  if (batch.cases)
    samples.make = [cases = batch.cases](Index sample, Index head) -> Result<SearchedMask> {
      const auto made = case_of_sample(*cases->batch, cases->values, sample, head);
      if (!made) return made.error();
      return SearchedMask{made->mask, rule_search(std::make_shared<const LintCase>(*made))};
    };
  return samples;
}

}  // namespace

SideDocks::SideDocks(QMainWindow& window, Workbench& workbench, QWidget* parameters)
    : m_window(window),
      m_inspector(new InspectorPanel),
      m_rowDebugger(new RowDebugger),
      m_checks(new LintPanel(workbench)),
      m_parameterDock(dock(window, tr("Parameters"), "parameters", parameters, 300)),
      m_inspectorDock(dock(window, tr("Inspector"), "inspector", scrolled(m_inspector), 250)),
      m_checksDock(dock(window, tr("Checks"), "checks", m_checks, 264)),
      m_rowDock(dock(window, tr("Row debugger"), "rowDebugger", m_rowDebugger, 300)),
      m_rowDockShown(new QAction(tr("&Row debugger"), this)) {
  window.addDockWidget(Qt::LeftDockWidgetArea, m_parameterDock);
  window.addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
  makeChecks();
  window.resizeDocks({m_parameterDock, m_inspectorDock}, {300, 264}, Qt::Horizontal);
  makeRowDebugger();
  const MaskInsight* insight = m_inspector->insight();
  connect(insight, &MaskInsight::notified, this, &SideDocks::notified);
  connect(insight, &MaskInsight::cellPicked, this, &SideDocks::keyPicked);
  window.installEventFilter(this);
  for (auto* each : {m_parameterDock, m_inspectorDock, m_checksDock, m_rowDock}) each->installEventFilter(this);
}

bool SideDocks::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Resize) return QObject::eventFilter(watched, event);
  const bool compact = isNarrow(m_window);
  // After the event, because QMainWindow lays out its docks in it.
  if (watched == &m_window && compact != m_compact) QTimer::singleShot(0, this, &SideDocks::fitWindow);
  if (watched != &m_window && !compact && !m_compact) m_wide = sizes();
  // A window that becomes lower squeezes the row debugger; one that is high again gives it its
  // height back.
  const bool settled = m_window.height() == m_windowHeight;
  const bool chosen = settled && !m_fitting && !m_rowDebugger->isFolded();
  if (watched == m_rowDock && chosen && sizes().rows != m_rowFitted) m_rowHeight = sizes().rows;
  if (watched == &m_window && !settled) {
    m_windowHeight = m_window.height();
    m_fitting = true;
    m_rowDebugger->setOneLine(m_windowHeight < compactWindow);
    m_rowDebugger->setFoldable(m_windowHeight < lowWindow);
    QTimer::singleShot(0, this, &SideDocks::fitRows);
  }
  return QObject::eventFilter(watched, event);
}

void SideDocks::fitRows() {
  const int wanted = m_rowHeight > 0 ? m_rowHeight : m_rowDebugger->sizeHint().height();
  m_rowFitted = std::min(wanted, m_windowHeight < compactWindow ? m_windowHeight / 3 : 2 * m_windowHeight / 5);
  if (!m_rowDebugger->isFolded()) resize(m_rowDock, m_rowFitted, Qt::Vertical);
  m_fitting = false;
}

/// 0: its size is not known.
void SideDocks::resize(QDockWidget* dock, int size, Qt::Orientation along) {
  if (size > 0) m_window.resizeDocks({dock}, {size}, along);
}

void SideDocks::fitWindow() {
  const bool compact = isNarrow(m_window);
  if (compact == m_compact) return;
  m_compact = compact;
  const Sizes wide = m_wide;  // what follows resizes the docks
  const bool inspector = !m_inspectorDock->isHidden();
  const bool checks = !m_checksDock->isHidden();
  if (compact) {
    m_window.setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
    m_window.tabifyDockWidget(m_parameterDock, m_inspectorDock);
    m_window.tabifyDockWidget(m_inspectorDock, m_checksDock);
  } else {
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    m_window.tabifyDockWidget(m_inspectorDock, m_checksDock);
    resize(m_parameterDock, wide.parameters, Qt::Horizontal);
    resize(m_inspectorDock, wide.right, Qt::Horizontal);
  }
  m_inspectorDock->setVisible(inspector);
  m_checksDock->setVisible(checks);
  (compact ? m_parameterDock : m_inspectorDock)->raise();
  // Three columns may have needed more than a small screen has.
  if (compact)
    QTimer::singleShot(0, this, [this] {
      const QSize free = m_window.screen()->availableSize();
      if (m_window.width() > free.width()) m_window.resize(free.width(), m_window.height());
    });
}

void SideDocks::makeRowDebugger() {
  // Below the views only: the panels at the sides keep their height.
  m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  m_window.addDockWidget(Qt::BottomDockWidgetArea, m_rowDock);
  m_rowDock->hide();
  m_rowDockShown->setCheckable(true);
  m_rowDockShown->setChecked(true);
  connect(m_rowDockShown, &QAction::toggled, this, &SideDocks::showDocks);
  connect(m_rowDebugger, &RowDebugger::notified, this, &SideDocks::notified);
  connect(m_rowDebugger, &RowDebugger::foldChanged, this, [this] {
    m_fitting = true;
    QTimer::singleShot(0, this, &SideDocks::fitRows);
  });
  connect(m_rowDebugger, &RowDebugger::cellPicked, this, &SideDocks::keyPicked);
  connect(m_rowDebugger, &RowDebugger::samplePicked, this, &SideDocks::samplePicked);
}

void SideDocks::makeChecks() {
  m_window.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  m_window.tabifyDockWidget(m_inspectorDock, m_checksDock);
  m_checksDock->hide();
  connect(m_checks, &LintPanel::cellPicked, this, &SideDocks::keyPicked);
  connect(m_checks, &LintPanel::samplePicked, this,
          [this](Index sample, Index head, const auto& cell) { emit samplePicked(sample, head, cell, {}); });
  connect(m_checks, &LintPanel::testRequested, this, &SideDocks::testRequested);
  connect(m_checks, &LintPanel::fixFound, this, &SideDocks::fixFound);
  connect(m_checks, &LintPanel::parameterRequested, this, &SideDocks::parameterRequested);
  connect(m_checks, &LintPanel::caseChanged, this, [this] {
    const auto given = m_checks->givenCase();
    m_rowDebugger->setRuleSearch(given ? rule_search(given) : RuleSearch());
  });
  connect(m_checks, &LintPanel::copied, this, [this](const QString& sentence) { emit notified(sentence, false); });
  connect(m_checks, &LintPanel::refused, this, [this](const QString& sentence) { emit notified(sentence, true); });
}

bool SideDocks::isBusy() const { return m_rowDebugger->isBusy() || m_inspector->isBusy() || m_checks->isBusy(); }

std::vector<QAction*> SideDocks::toggles() const {
  return {m_parameterDock->toggleViewAction(), m_inspectorDock->toggleViewAction(), m_checksDock->toggleViewAction(),
          m_rowDockShown};
}

void SideDocks::bringForward(QDockWidget* dock) const {
  if (!m_hasSides) return;
  dock->show();
  dock->raise();
}

/// The checks, once closed by the user, stay closed until the next page of masks. What has been in front
/// beside a mask leaves its place to the parameters.
void SideDocks::setMasksShown(bool masks) {
  const bool other = std::exchange(m_hasMasks, masks) != masks;
  const bool inspectorInFront = !m_inspectorDock->visibleRegion().isEmpty();
  showDocks();
  if (!other) return;
  m_checksDock->setVisible(masks);
  if (masks || !inspectorInFront) (m_compact ? m_parameterDock : m_inspectorDock)->raise();
}

void SideDocks::setSidesShown(bool shown) {
  if (std::exchange(m_hasSides, shown) == shown) return;
  if (!shown) {
    for (auto* dock : {m_parameterDock, m_inspectorDock})
      if (!dock->isHidden()) m_hiddenSides.push_back(dock);
    for (auto* dock : m_hiddenSides) dock->hide();
  } else {
    for (auto* dock : std::exchange(m_hiddenSides, {})) dock->show();
    if (m_compact) m_parameterDock->raise();
  }
}

/// The first time it shows, the row debugger has a height that knows nothing of the window's.
void SideDocks::showDocks() {
  m_rowDock->setVisible(m_hasMasks && m_hasRows && m_rowDockShown->isChecked());
  if (m_rowDock->isHidden() || std::exchange(m_rowsWereShown, true)) return;
  QTimer::singleShot(0, this, &SideDocks::fitRows);
}

void SideDocks::showAnswers(const PageWidget& page) {
  const auto mask = page.mask();
  if (std::exchange(m_hasRows, mask || !page.extent()) != m_hasRows) showDocks();
  m_rowDebugger->setSecond(page.secondMask());
  m_rowDebugger->setTokens(page.tokens(), page.firstQuery());
  m_rowDebugger->setMask(mask);
  m_inspector->insight()->setMasks(mask, page.secondMask());
  m_inspector->setBlocks(page.blocks());
  m_checks->setCase(page.lintCase(), page.secondLintCase());
}

void SideDocks::setEditedSide(bool second) { m_checks->setEditedSide(second); }

void SideDocks::applyFix() { m_checks->applyFix(); }

void SideDocks::setBatch(const BatchOverview& batch) {
  m_checks->setBatch(batch);
  m_rowDebugger->setSamples(searchedIn(batch));
}

void SideDocks::setFreshness(const Freshness& now) {
  m_rowDebugger->setFreshness(now);
  m_inspector->setFreshness(now);
  m_checks->setFreshness(now);
}

SideDocks::Sizes SideDocks::sizes() const {
  const auto width = [](const QDockWidget* dock) { return dock->isVisible() ? dock->width() : 0; };
  // Among tabbed docks, the one on top determines the width.
  return {width(m_parameterDock), m_compact ? 0 : std::max(width(m_inspectorDock), width(m_checksDock)),
          !m_rowDock->isVisible()     ? 0
          : m_rowDebugger->isFolded() ? m_rowHeight
                                      : m_rowDock->height()};
}

void SideDocks::storeIn(WindowLayout& layout) const {
  const auto isWanted = [this](QDockWidget* dock) {
    return !dock->isHidden() || std::ranges::count(m_hiddenSides, dock) > 0;
  };
  const Sizes now = sizes();
  layout.docks = {{m_parameterDock->objectName(), {isWanted(m_parameterDock), now.parameters}},
                  {m_inspectorDock->objectName(), {isWanted(m_inspectorDock), now.right}},
                  {m_checksDock->objectName(), {!m_checksDock->isHidden(), now.right}},
                  {m_rowDock->objectName(), {m_rowDockShown->isChecked(), now.rows}}};
  if (m_hasMasks && !m_checksDock->visibleRegion().isEmpty()) layout.raised = m_checksDock->objectName();
}

/// While the page has no sides: whether a dock is shown again with the next page that has them.
void SideDocks::keepHidden(QDockWidget* dock, bool wanted) {
  std::erase(m_hiddenSides, dock);
  if (wanted) m_hiddenSides.push_back(dock);
}

void SideDocks::apply(const WindowLayout& layout) {
  for (auto* each : {m_parameterDock, m_inspectorDock, m_checksDock, m_rowDock}) {
    const auto found = layout.docks.find(each->objectName());
    if (found == layout.docks.end()) continue;
    const auto [visible, size] = found->second;
    const bool below = each == m_rowDock;
    if (below)
      m_rowDockShown->setChecked(visible);
    else if (!m_hasSides && each != m_checksDock)
      keepHidden(each, visible);
    else if (each != m_checksDock || m_hasMasks)
      each->setVisible(visible);
    const int most = below ? m_window.height() : m_window.width();
    if (below && m_rowDebugger->isFolded()) m_rowHeight = size;
    resize(each, std::min(size, most), below ? Qt::Vertical : Qt::Horizontal);
  }
  if (m_hasMasks && layout.raised == m_checksDock->objectName()) m_checksDock->raise();
  showDocks();
}

}  // namespace vqscope
