// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/curve_page.h"

#include "core/catalogue/registry.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/after_theme.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QHideEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int roomForTwoPlots = 640;  ///< width of the chosen curves with others beside them

}  // namespace

CurvePage::CurvePage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent),
      m_tabs(new QTabBar(this)),
      m_across(new QSplitter(Qt::Horizontal, this)),
      m_stacked(new QSplitter(Qt::Vertical)),
      m_beside(scrolled(m_stacked)) {
  addView();
  m_across->addWidget(m_beside);
  m_across->setSizes({600, 400});
  for (auto* splitter : {m_across, m_stacked}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
  }
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setElideMode(Qt::ElideRight);
  m_tabs->setProperty("class", "views");
  m_tabs->setAccessibleName(tr("Curves"));
  m_tabs->hide();
  connect(m_tabs, &QTabBar::currentChanged, this, &CurvePage::arrange);
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setSpacing(0);
  column->addWidget(m_tabs);
  column->addWidget(m_across, 1);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(content);
  for (auto* each : {column, layout}) each->setContentsMargins(0, 0, 0, 0);
}

CurveView* CurvePage::addView() {
  auto* view = new CurveView(this, m_views.empty() ? CurveView::Banner::shown : CurveView::Banner::hidden);
  view->setFreshness(freshness());
  (m_views.empty() ? m_across : m_stacked)->addWidget(view);
  connect(view, &CurveView::readoutChanged, this, [this, view](const std::optional<CellReport>& report) {
    const Method* method = methodOf(view);
    if (method || !report) emit readoutShown(report ? std::optional(Readout{method, *report}) : std::nullopt);
  });
  connect(view, &CurveView::axesChosen, this, [this, view](const CurveAxes& axes) {
    if (const Method* method = methodOf(view)) m_workbench.setAxes(m_info.id, method->id, axes);
  });
  auto* button = view->header()->addButton("export", tr("Export these curves"));
  connect(button, &QToolButton::clicked, this, [this, view] {
    if (const Method* method = methodOf(view)) emit exportRequested(targetOf(method));
  });
  auto* pin = new QAction(pinActionText(), view);
  connect(pin, &QAction::triggered, this, [this, view] {
    if (const Method* method = methodOf(view)) emit pinRequested(targetOf(method));
  });
  view->addAction(pin);
  m_views.push_back(view);
  if (m_views.size() > 1) prepare(*view);  // the base class makes the first view before the derived page exists
  return view;
}

const Method* CurvePage::mainMethod() const { return find_method(state().method); }

const Method* CurvePage::methodOf(const CurveView* view) const {
  const auto index = static_cast<std::size_t>(std::ranges::find(m_views, view) - m_views.begin());
  return index < m_methods.size() ? m_methods[index] : nullptr;
}

ExportTarget CurvePage::targetOf(const Method* method) const {
  ExportTarget target{method, carried_values(*method, state().values), std::nullopt};
  const auto index = static_cast<std::size_t>(std::ranges::find(m_methods, method) - m_methods.begin());
  const CurveView& view = *m_views[index];
  if (view.freshness().isCurrent() && !view.isStopped() && !view.curves().x.empty())
    target.curves = std::make_shared<const CurveSet>(view.curves());
  else if (auto live = view.computationOf(*method, target.values))
    target.coming = [live = std::move(live)](const Work& work) { return live->await(work); };
  return target;
}

void CurvePage::sync() {
  const ShownPage& now = state();
  showFreshness();
  if (m_shown && m_shown->method == now.method && m_shown->values == now.values && m_shown->axes == now.axes) return;
  m_shown = now;
  m_methods = {mainMethod()};
  for (const auto& id : m_methods.front()->curves()->related)
    if (const Method* beside = find_method(id); showsBeside(*beside)) m_methods.push_back(beside);
  while (m_views.size() < m_methods.size()) addView();
  fillTabs();
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    if (i >= m_methods.size())
      m_views[i]->stop();
    else
      showIn(*m_views[i], *m_methods[i], carried_values(*m_methods[i], now.values));
  }
  arrange();
}

/// Other curves begin with the chosen ones in front.
void CurvePage::fillTabs() {
  QStringList titles;
  for (const Method* method : m_methods) titles << text(method->title);
  const QSignalBlocker quiet(m_tabs);
  const bool others = m_tabs->count() == 0 || m_tabs->tabText(0) != titles[0];
  while (m_tabs->count() > titles.size()) m_tabs->removeTab(m_tabs->count() - 1);
  while (m_tabs->count() < titles.size()) m_tabs->addTab({});
  for (int i = 0; i < titles.size(); ++i) m_tabs->setTabText(i, titles[i]);
  if (others) m_tabs->setCurrentIndex(0);
}

void CurvePage::arrange() {
  if (m_methods.empty()) return;
  const bool several = m_methods.size() > 1;
  const bool tabs = several && width() < roomForTwoPlots;
  const auto front = static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()));
  m_tabs->setVisible(tabs);
  for (std::size_t i = 0; i < m_views.size(); ++i)
    m_views[i]->setVisible(i < m_methods.size() && (!tabs || i == front));
  m_beside->setVisible(several && (!tabs || front > 0));
}

void CurvePage::forget() {
  m_shown.reset();
  for (auto* view : m_views) view->clear();
}

void CurvePage::showIn(CurveView& view, const Method& method, const ParameterValues& values) {
  view.setMethod(method, values, axesOf(method.id));
}

/// Each view marks its own curves while they are computed.
void CurvePage::showFreshness() {
  for (auto* view : m_views) view->setFreshness(freshness());
  PageWidget::showFreshness();
}

/// A hidden page stops its work; unfinished work starts again when the page is shown.
void CurvePage::hideEvent(QHideEvent* event) {
  PageWidget::hideEvent(event);
  if (event->spontaneous() || runsWhenHidden() || !isBusy()) return;
  m_shown.reset();
  for (auto* view : m_views) view->stop();
}

void CurvePage::resizeEvent(QResizeEvent* event) {
  PageWidget::resizeEvent(event);
  afterTheme(this, [this] { arrange(); });
}

void CurvePage::fit() {
  for (auto* view : m_views) view->fit();
}

std::vector<ExportTarget> CurvePage::exportTargets() const {
  std::vector<ExportTarget> targets;
  for (const auto* method : m_methods) targets.push_back(targetOf(method));
  return targets;
}

bool CurvePage::isBusy() const {
  return std::ranges::any_of(m_views, [](const CurveView* view) { return view->isBusy(); });
}

}  // namespace vqscope
