// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "core/lint/contract_rows.h"
#include "widgets/mask/contract_panel.h"
#include "widgets/mask/mask_insight.h"
#include "widgets/mask/mask_source.h"
#include "widgets/mask/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QAction>
#include <QChildEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>

namespace vqscope {
namespace {

QDockWidget* dock(QMainWindow* window, const QString& title, const char* name, QWidget* content, int width) {
  auto* made = new QDockWidget(title, window);
  made->setObjectName(QString::fromLatin1(name));
  made->setWidget(content);
  made->setMinimumWidth(width - 40);
  made->setTitleBarWidget(new QWidget(made));  // the headings inside say what it is
  return made;
}

Result<std::optional<RowDebugger::BrokenRow>> brokenRow(const ContractCase& given, Index from, bool forwards,
                                                        const std::stop_token& stop) {
  const auto row = next_row_that_breaks(given, from, forwards, stop);
  if (!row) return row.error();
  if (!*row) return std::optional<RowDebugger::BrokenRow>();
  return std::optional(RowDebugger::BrokenRow{**row, rules_broken_by(given, **row)});
}

}  // namespace

void MainWindow::makeDocks() {
  m_parameterDock = dock(this, tr("Parameters"), "parameters", m_panelStack, 288);
  m_inspectorDock = dock(this, tr("Inspector"), "inspector", scrolled(m_inspector), 264);
  addDockWidget(Qt::LeftDockWidgetArea, m_parameterDock);
  addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
  makeChecksDock();
  resizeDocks({m_parameterDock, m_inspectorDock}, {300, 264}, Qt::Horizontal);
  makeRowDebugger();
  connectInsight();
}

/// Tabs of docks keep their places: one that is dragged while its bar goes, with the page, and comes back has nothing
/// to be moved, which QTabBar does not expect.
bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::ChildPolished)
    if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) tabs->setMovable(false);
  return QMainWindow::event(event);
}

void MainWindow::makeRowDebugger() {
  m_rowDebugger = new RowDebugger;
  m_rowDock = dock(this, tr("Row debugger"), "rowDebugger", m_rowDebugger, 300);
  // Below the views alone: the panels at the sides keep their height.
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  addDockWidget(Qt::BottomDockWidgetArea, m_rowDock);
  m_rowDock->hide();
  m_rowDockShown = new QAction(tr("&Row debugger"), this);
  m_rowDockShown->setCheckable(true);
  m_rowDockShown->setChecked(true);
  connect(m_rowDockShown, &QAction::toggled, this, &MainWindow::showDocks);
  connect(m_rowDebugger, &RowDebugger::said, this, &MainWindow::say);
  connect(m_rowDebugger, &RowDebugger::cellPicked, this, &MainWindow::goToKey);
}

void MainWindow::connectInsight() {
  const MaskInsight* insight = m_inspector->insight();
  connect(insight, &MaskInsight::said, this, &MainWindow::say);
  connect(insight, &MaskInsight::cellPicked, this, &MainWindow::goToKey);
  connect(insight, &MaskInsight::textWanted, this,
          [this](const Recognition& found, bool second) { currentPanel()->maskSource()->useAsText(found, second); });
}

void MainWindow::makeChecksDock() {
  m_checksDock = dock(this, tr("Checks"), "checks", m_checks, 264);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  tabifyDockWidget(m_inspectorDock, m_checksDock);
  m_checksDock->hide();
  connect(m_checks, &ContractPanel::cellPicked, this, &MainWindow::goToKey);
  connect(m_checks, &ContractPanel::caseChanged, this, [this] {
    const auto given = m_checks->givenCase();
    if (!given) return m_rowDebugger->setRuleSearch(nullptr);
    m_rowDebugger->setRuleSearch([given](Index from, bool forwards, const std::stop_token& stop) {
      return brokenRow(*given, from, forwards, stop);
    });
  });
  connect(m_checks, &ContractPanel::copied, this, [this](const QString& sentence) { say(sentence, false); });
  connect(m_checks, &ContractPanel::refused, this, [this](const QString& sentence) { say(sentence, true); });
}

/// Masks alone have rows and something to check; elsewhere the docks would be empty. The checks, closed by hand, stay
/// closed until the next page of masks.
void MainWindow::showDocks() {
  const bool masks = currentPage()->hasMasks();
  m_rowDock->setVisible(masks && m_rowDockShown->isChecked());
  if (masks == m_hasChecks) return;
  m_checksDock->setVisible(masks);
  if (masks) m_inspectorDock->raise();
  m_hasChecks = masks;
}

WindowLayout MainWindow::layoutState() const {
  WindowLayout layout{.place = normalGeometry(), .maximized = isMaximized(), .theme = m_theme};
  if (layout.place.isEmpty()) layout.place = geometry();
  const auto width = [](const QDockWidget* dock) { return dock->isVisible() ? dock->width() : 0; };
  // Of docks that lie over each other the one on top has the width.
  const int right = std::max(width(m_inspectorDock), width(m_checksDock));
  layout.docks = {
      {m_parameterDock->objectName(), {!m_parameterDock->isHidden(), width(m_parameterDock)}},
      {m_inspectorDock->objectName(), {!m_inspectorDock->isHidden(), right}},
      {m_checksDock->objectName(), {!m_checksDock->isHidden(), right}},
      {m_rowDock->objectName(), {m_rowDockShown->isChecked(), m_rowDock->isVisible() ? m_rowDock->height() : 0}}};
  if (m_hasChecks && !m_checksDock->visibleRegion().isEmpty()) layout.raised = m_checksDock->objectName();
  return layout;
}

void MainWindow::applyLayout(const WindowLayout& layout) {
  if (!layout.place.isEmpty()) {
    const QScreen* on = QGuiApplication::screenAt(layout.place.center());
    const QRect available = (on ? on : screen())->availableGeometry();
    QRect place(layout.place.topLeft(), layout.place.size().boundedTo(available.size()));
    place.moveRight(std::clamp(place.right(), available.left() + place.width() - 1, available.right()));
    place.moveBottom(std::clamp(place.bottom(), available.top() + place.height() - 1, available.bottom()));
    setGeometry(place);
  }
  if (layout.maximized) setWindowState(windowState() | Qt::WindowMaximized);
  for (auto* each : {m_parameterDock, m_inspectorDock, m_checksDock, m_rowDock}) {
    const auto found = layout.docks.find(each->objectName());
    if (found == layout.docks.end()) continue;
    const auto [visible, size] = found->second;
    const bool below = each == m_rowDock;
    if (below)
      m_rowDockShown->setChecked(visible);
    else if (each != m_checksDock || m_hasChecks)
      each->setVisible(visible);
    const int most = below ? height() : width();
    if (size > 0) resizeDocks({each}, {std::min(size, most)}, below ? Qt::Vertical : Qt::Horizontal);
  }
  if (m_hasChecks && layout.raised == m_checksDock->objectName()) m_checksDock->raise();
  showDocks();
}

void MainWindow::showAnswers() {
  const WorkspacePage& page = *currentPage();
  const auto mask = page.mask();
  m_rowDebugger->setSecond(page.secondMask());
  m_rowDebugger->setMask(mask);
  m_inspector->insight()->setMasks(mask, page.secondMask());
  m_inspector->setBlocks(page.blocks());
  m_checks->setCase(page.contractCase());
}

void MainWindow::showFreshness() {
  Freshness now = currentPage()->freshness();
  if (now.asks) now = {};  // what stands beside does not depend on the measurement
  m_rowDebugger->setFreshness(now);
  m_inspector->setFreshness(now);
  m_checks->setFreshness(now);
  m_readout->setEnabled(now.isCurrent());
}

bool MainWindow::refuses() {
  const Freshness now = currentPage()->freshness();
  const bool refused = now.isOutdated() && !now.asks;  // an export measures what was not measured yet
  if (refused) say(now.refusal(), true);
  return refused;
}

void MainWindow::goToKey(Cell cell) {
  if (const auto gone = currentPage()->goToKey(cell); !gone) say(text(gone.error().message), true);
}

}  // namespace vqscope
