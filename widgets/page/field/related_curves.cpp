// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/related_curves.h"

#include "core/catalogue/registry.h"
#include "widgets/parts/text.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/map/look_menus.h"
#include "widgets/view/profile_column.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QToolButton>

#include <algorithm>

namespace vqscope {
namespace {

bool contains(const std::vector<std::string>& ids, const std::string& id) { return std::ranges::count(ids, id) > 0; }

const std::vector<std::string>& explaining(const ShownPage& made) { return find_method(made.method)->field()->related; }

}  // namespace

RelatedCurves::RelatedCurves(Workbench& workbench, const PageInfo& info, ProfileColumn& column, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_info(info), m_column(column) {
  for (const auto& id : info.curves) add(find_method(id));
}

void RelatedCurves::add(const Method* method) {
  auto* view = m_column.addCurves();
  connect(view, &CurveView::readoutChanged, this,
          [this, method](const auto& report) { emit readoutChanged(method, report); });
  connect(view, &CurveView::axesChosen, this,
          [this, method](const CurveAxes& axes) { m_workbench.setAxes(m_info.id, method->id, axes); });
  auto* button = view->header()->addButton("export", tr("Export %1").arg(text(method->title)));
  connect(button, &QToolButton::clicked, this, [this, method] {
    emit exportRequested({method, valuesOf(*method), std::nullopt});
  });
  auto* pin = new QAction(pinActionText(), view);
  connect(pin, &QAction::triggered, this, [this, method] {
    emit pinRequested({method, valuesOf(*method), std::nullopt});
  });
  view->addAction(pin);
  m_related.push_back({method, view});
}

bool RelatedCurves::has(const std::string& id) const {
  return std::ranges::any_of(m_related, [&](const RelatedCurve& each) { return each.method->id == id; });
}

void RelatedCurves::show(const ShownPage& made) {
  for (const auto& id : made.pinned)
    if (!has(id)) add(find_method(id));
  for (const auto& [method, view] : m_related) {
    const bool shown = contains(explaining(made), method->id) || contains(made.pinned, method->id);
    view->setVisible(shown);
    if (!shown) continue;
    const auto axes = state().axes.find(method->id);
    view->setMethod(*method, valuesOf(*method),
                    axes == state().axes.end() ? std::nullopt : std::optional(axes->second));
  }
}

void RelatedCurves::offer(const ShownPage& made, LookMenus& menus) {
  std::vector<LookMenus::PinnedCurve> curves;
  for (const Method* method : pinnable_curves())
    if (!contains(explaining(made), method->id))
      curves.push_back(
          {method->id, text(method->title), text(page_of(*method)->title), contains(made.pinned, method->id)});
  menus.setCurves(curves);
}

ParameterValues RelatedCurves::valuesOf(const Method& curves) const {
  const PageInfo* home = page_of(curves);
  if (!home || home == &m_info) return carried_values(curves, state().values);
  ParameterValues values = m_workbench.page(home->id).values;
  for (const auto& [name, value] : state().values.map()) values.set(name, value);
  return carried_values(curves, values);
}

bool RelatedCurves::stop() {
  const bool unfinished = isBusy();
  for (const auto& each : m_related) each.view->stop();
  return unfinished;
}

bool RelatedCurves::isBusy() const {
  return std::ranges::any_of(m_related, [](const RelatedCurve& each) { return each.view->isBusy(); });
}

}  // namespace vqscope
