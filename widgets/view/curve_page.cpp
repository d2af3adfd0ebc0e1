// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve_page.h"

#include "core/base/registry.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {

CurvePage::CurvePage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
    : WorkspacePage(workbench, info, parent) {
  auto* across = new QSplitter(Qt::Horizontal, this);
  auto* stacked = new QSplitter(Qt::Vertical, across);
  for (const auto& id : info.curves) {
    const Method* method = find_method(id);
    auto* view = new CurveView(this);
    (m_views.empty() ? across : stacked)->addWidget(view);
    connect(view, &CurveView::readoutChanged, this, [this, method](const std::optional<CellReport>& report) {
      emit readoutShown(report ? std::optional(Readout{method, *report}) : std::nullopt);
    });
    connect(view, &CurveView::axesChosen, this,
            [this, method](const CurveAxes& axes) { m_workbench.setAxes(m_info.id, method->id, axes); });
    auto* button = view->header()->addButton("export", tr("Export %1").arg(QString::fromStdString(method->title)));
    connect(button, &QToolButton::clicked, this, [this, method] {
      emit exportRequested({method, carried_values(*method, state().values), std::nullopt});
    });
    m_methods.push_back(method);
    m_views.push_back(view);
  }
  across->addWidget(stacked);
  across->setStretchFactor(0, 3);
  across->setStretchFactor(1, 2);
  for (auto* splitter : {across, stacked}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(across);
}

void CurvePage::sync() {
  if (m_shown && m_shown->values == state().values && m_shown->axes == state().axes) return;
  m_shown = state();
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    const auto values = carried_values(*m_methods[i], m_shown->values);
    m_views[i]->setMethod(*m_methods[i], values, axesOf(m_methods[i]->id));
  }
}

void CurvePage::showProblem(const QString& sentence) {
  for (auto* view : m_views) view->setProblem(sentence);
}

void CurvePage::fit() {
  for (auto* view : m_views) view->fit();
}

std::vector<ExportTarget> CurvePage::exportTargets() const {
  std::vector<ExportTarget> targets;
  for (const auto* method : m_methods) targets.push_back({method, carried_values(*method, state().values), {}});
  return targets;
}

bool CurvePage::isBusy() const {
  return std::ranges::any_of(m_views, [](const CurveView* view) { return view->isBusy(); });
}

}  // namespace vqscope
