// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/field_page.h"

#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/curve/profile.h"
#include "core/field/difference_field.h"
#include "core/field/lattice.h"
#include "widgets/plot/value_summary.h"
#include "widgets/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QEvent>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr Index profilePoints = 512;

struct Profiles {
  std::optional<CurveSet> row, col, keys;
};

std::optional<CurveSet> value(Result<CurveSet> result) {
  return result ? std::optional(std::move(*result)) : std::nullopt;
}

}  // namespace

FieldPage::FieldPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
    : WorkspacePage(workbench, info, parent), m_maps(new QSplitter(Qt::Horizontal)) {
  auto* across = new QSplitter(Qt::Horizontal, this);
  for (auto* splitter : {m_maps, across}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);  // a line to see, with a wider one to take hold of
  }
  across->addWidget(m_maps);
  m_a.view = addMap();
  m_b.view = addMap();
  m_b.view->hide();
  m_link = m_b.view->header()->addButton("link", tr("Link cursor and zoom of both maps"));
  m_link->setCheckable(true);
  m_link->setChecked(true);
  connect(m_link, &QToolButton::toggled, this, [this](bool on) {
    m_linked = on;
    if (on) m_b.view->setRange(m_a.view->range());
  });
  addSideViews(across);
  across->setStretchFactor(0, 3);
  across->setStretchFactor(1, 1);
  across->setSizes({640, 330});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(across);
  m_profileTimer.setSingleShot(true);
  m_profileTimer.setInterval(0);
  connect(&m_profileTimer, &QTimer::timeout, this, &FieldPage::showProfiles);
}

MatrixView* FieldPage::addMap() {
  auto* view = new MatrixView(m_maps);
  m_maps->addWidget(view);
  auto* button = view->header()->addButton("export", tr("Export this map"));
  connect(button, &QToolButton::clicked, this, [this, view] {
    const auto targets = exportTargets();
    emit exportRequested(targets[view == m_b.view && targets.size() > 1 ? 1 : 0]);
  });
  connect(view, &MatrixView::rangeChanged, this, [this, view](const auto& range) { onRangeChanged(view, range); });
  connect(view, &MatrixView::cellHovered, this, &FieldPage::onHovered);
  connect(view, &MatrixView::cellPicked, this, &FieldPage::onPicked);
  connect(view, &MatrixView::pictureShown, this, [this, view] {
    const auto picture = view->picture();
    emit frameShown({picture->exact, view->frameMilliseconds(), picture->bytes});
    m_profileTimer.start();
  });
  return view;
}

void FieldPage::addSideViews(QSplitter* across) {
  auto* column = new QSplitter(Qt::Vertical, across);
  column->setChildrenCollapsible(false);
  column->setHandleWidth(1);
  const auto add = [&] {
    auto* view = new CurveView(column);
    column->addWidget(view);
    connect(view, &CurveView::readoutChanged, this, &WorkspacePage::curveShown);
    return view;
  };
  for (const auto& id : m_info.curves) {
    const Method* method = find_method(id);
    auto* view = add();
    auto* button = view->header()->addButton("export", tr("Export %1").arg(text(method->title)));
    connect(button, &QToolButton::clicked, this, [this, method] {
      emit exportRequested({method, carried_values(*method, state().values), std::nullopt});
    });
    m_companions.push_back(view);
  }
  m_visibleKeys = add();
  m_rowProfile = add();
  m_colProfile = add();
  across->addWidget(column);
}

const Method* FieldPage::mainMethod() const { return find_method(state().method); }

void FieldPage::sync() {
  const WorkspaceState& now = state();
  if (m_shown) m_a.view->setRange(now.view);  // another session may differ in nothing else
  if (m_shown && m_shown->values == now.values && m_shown->other == now.other && m_shown->method == now.method &&
      m_shown->compare == now.compare && m_shown->aggregate == now.aggregate && m_shown->colour_map == now.colour_map &&
      m_shown->keep_aspect == now.keep_aspect)
    return;
  if (!buildFields()) return;
  const bool newValues = !m_shown || m_shown->values != now.values || m_shown->method != now.method;
  m_shown = now;
  showMaps();
  if (newValues) showCompanions();
  showCell();
}

bool FieldPage::buildFields() {
  const WorkspaceState& now = state();
  const Method& method = *mainMethod();
  const auto build = [&](const Side& last, const ParameterValues& values) -> Result<Side> {
    if (last.field && last.method == method.id && last.values == values) return last;
    auto field = make_field(method, carried_values(method, values));
    if (!field) return field.error();
    return Side{last.view, method.id, *field, values};
  };
  // Everything or nothing: what is on screen, what is read off it and what profiles show is one state.
  const auto refuse = [&](const Error& error) {
    emit problem(text(error.message));
    return false;
  };
  const auto a = build(m_a, now.values);
  if (!a) return refuse(a.error());
  const auto b = now.compare == CompareMode::none ? Result<Side>(m_b) : build(m_b, now.other);
  if (!b) return refuse(b.error());
  std::shared_ptr<const Field> difference;
  if (now.compare == CompareMode::difference) {
    auto made = make_method_difference(method, a->field, b->field);
    if (!made) return refuse(made.error());
    difference = *made;
  }
  m_a = *a;
  m_b = *b;
  m_difference = difference;
  return true;
}

MatrixContent FieldPage::contentOf(const Side& side, const QString& prefix) const {
  const Method& method = *mainMethod();
  const FieldRecipe& recipe = *method.field();
  const bool dark = currentPalette().dark;
  const auto values = carried_values(method, side.values);
  return {prefix + text(method.title),
          valueSummary(method, values),
          text(recipe.row_title),
          text(recipe.col_title),
          side.field,
          colourScale(method, *side.field, values, state().colour_map, dark),
          state().aggregate,
          state().keep_aspect};
}

MatrixContent FieldPage::differenceContent() const {
  MatrixContent content = contentOf(m_a, tr("A − B · "));
  const Method& method = *mainMethod();
  content.subtitle =
      QStringLiteral("A: %1   B: %2").arg(content.subtitle, valueSummary(method, carried_values(method, m_b.values)));
  content.field = m_difference;
  content.scale = differenceScale(currentPalette().dark);
  return content;
}

void FieldPage::showMaps() {
  const CompareMode mode = state().compare;
  m_b.view->setVisible(mode == CompareMode::side_by_side);
  m_maps->setSizes({1000, 1000});  // equal halves, whatever the titles want
  const auto& view = state().view;
  m_a.view->setRange(view);
  if (mode == CompareMode::difference) return m_a.view->setContent(differenceContent());
  const bool two = mode == CompareMode::side_by_side;
  m_a.view->setContent(contentOf(m_a, two ? QStringLiteral("A · ") : QString()));
  if (!two) return;
  m_b.view->setContent(contentOf(m_b, QStringLiteral("B · ")));
  if (m_linked) m_b.view->setRange(view);
}

void FieldPage::showCompanions() {
  const auto& shown = mainMethod()->field()->companions;
  for (std::size_t i = 0; i < m_companions.size(); ++i) {
    const Method& method = *find_method(m_info.curves[i]);
    const bool explains = std::ranges::count(shown, method.id) > 0;
    m_companions[i]->setVisible(explains);
    if (!explains) continue;
    const auto values = carried_values(method, state().values);
    m_companions[i]->setMethod(method, values, valueSummary(method, values));
  }
}

const Field* FieldPage::shownField() const { return m_difference ? m_difference.get() : m_a.field.get(); }

void FieldPage::showCell() {
  const auto cell = m_hovered ? m_hovered : m_picked;
  const Field* field = shownField();
  const bool inside = cell && field && cell->row < field->extent().rows && cell->col < field->extent().cols;
  emit cellShown(inside ? std::optional(field->report(cell->row, cell->col)) : std::nullopt);
  m_profileTimer.start();
}

void FieldPage::showProfiles() {
  if (!m_a.field || !isVisible()) return;
  if (m_a.view->isBusy()) return;  // the picture first: it calls again when it is there
  const auto field = m_difference ? m_difference : m_a.field;
  const Extent extent = field->extent();
  const ViewRange view = m_a.view->visibleRange();
  const Range rows = cells_in(view.row_first, view.row_last, extent.rows);
  const Range cols = cells_in(view.col_first, view.col_last, extent.cols);
  Cell cell =
      m_hovered ? *m_hovered : m_picked.value_or(Cell{(rows.begin + rows.end) / 2, (cols.begin + cols.end) / 2});
  cell.row = std::min(cell.row, extent.rows - 1);
  cell.col = std::min(cell.col, extent.cols - 1);
  const FieldRecipe& recipe = *mainMethod()->field();
  const bool keys = recipe.scale == ValueScale::visibility && !m_difference;
  m_visibleKeys->setVisible(keys);
  m_profiles.run<Profiles>(
      [=](std::stop_token stop) {
        return Profiles{value(row_profile(*field, cell.row, cols, profilePoints, stop)),
                        value(col_profile(*field, cell.col, rows, profilePoints, stop)),
                        keys ? value(visible_keys(*field, rows, profilePoints, stop)) : std::nullopt};
      },
      [this, cell, &recipe](Profiles profiles) {
        const auto show = [&](CurveView* into, const QString& title, const QString& at, std::optional<CurveSet>& set,
                              const std::string& x) {
          if (!set) return;
          set->x_title = x;
          set->y_title = recipe.value_title;
          into->setCurves(title, at, *set);
        };
        show(m_rowProfile, tr("Row profile"), tr("row %1").arg(text(grouped(cell.row))), profiles.row,
             recipe.col_title);
        show(m_colProfile, tr("Column profile"), tr("column %1").arg(text(grouped(cell.col))), profiles.col,
             recipe.row_title);
        if (profiles.keys) m_visibleKeys->setCurves(tr("Keys seen by each query"), {}, *profiles.keys);
      });
}

void FieldPage::onHovered(const std::optional<Cell>& cell) {
  m_hovered = cell;
  for (auto* view : maps())
    if (m_linked || view == sender()) view->setHovered(cell);
  showCell();
}

void FieldPage::onPicked(Cell cell) {
  m_picked = cell;
  // A cell picked by key is the one to read, wherever the mouse rests.
  m_hovered.reset();
  for (auto* view : maps()) {
    view->setPicked(cell);
    view->setHovered(std::nullopt);
  }
  showCell();
}

void FieldPage::onRangeChanged(MatrixView* from, const std::optional<ViewRange>& range) {
  if (m_linked)
    for (auto* view : maps())
      if (view != from) view->setRange(range);
  if (from == m_a.view || m_linked) m_workbench.setView(m_info.id, range);
  m_profileTimer.start();
}

std::vector<MatrixView*> FieldPage::maps() const {
  std::vector<MatrixView*> shown{m_a.view};
  if (state().compare == CompareMode::side_by_side) shown.push_back(m_b.view);
  return shown;
}

void FieldPage::fit() {
  for (auto* view : maps()) view->setRange(std::nullopt);
  m_workbench.setView(m_info.id, std::nullopt);
  m_profileTimer.start();
}

void FieldPage::zoom(double factor) { m_a.view->zoom(factor); }

Result<void> FieldPage::goTo(Cell cell) {
  const Extent size = m_a.field->extent();
  if (cell.row < 0 || cell.row >= size.rows || cell.col < 0 || cell.col >= size.cols)
    return invalid("cell (" + to_text(cell.row) + ", " + to_text(cell.col) +
                   ") is outside of the matrix, rows are 0 to " + to_text(size.rows - 1) + " and columns 0 to " +
                   to_text(size.cols - 1));
  m_a.view->reveal(cell);
  onPicked(cell);
  return {};
}

std::optional<Extent> FieldPage::extent() const {
  return m_a.field ? std::optional(m_a.field->extent()) : std::nullopt;
}

std::vector<ExportTarget> FieldPage::exportTargets() const {
  const Method* method = mainMethod();
  std::vector<ExportTarget> targets{{method, carried_values(*method, state().values), m_a.view->range()}};
  if (state().compare == CompareMode::side_by_side)
    targets.push_back({method, carried_values(*method, state().other), m_b.view->range()});
  for (const auto& id : method->field()->companions)
    if (const Method* curve = find_method(id))
      targets.push_back({curve, carried_values(*curve, state().values), std::nullopt});
  return targets;
}

std::shared_ptr<const ContractCase> FieldPage::contractCase() const {
  const Method& method = *mainMethod();
  if (method.id != "visibility") return nullptr;
  auto given = contract_case(carried_values(method, state().values));
  return given ? std::make_shared<const ContractCase>(std::move(*given)) : nullptr;
}

bool FieldPage::isBusy() const {
  if (m_profiles.isBusy() || m_profileTimer.isActive()) return true;
  for (const auto* view : maps())
    if (view->isBusy()) return true;
  for (const auto* view : m_companions)
    if (view->isBusy()) return true;
  return false;
}

void FieldPage::changeEvent(QEvent* event) {
  WorkspacePage::changeEvent(event);
  // Mask colours and the colour of wrapped phases belong to the theme.
  if (event->type() == QEvent::PaletteChange && m_shown) showMaps();
}

}  // namespace vqscope
