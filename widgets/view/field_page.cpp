// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/field_page.h"

#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/field/block_field.h"
#include "core/field/field_mask.h"
#include "core/field/lattice.h"
#include "core/mask/presets.h"
#include "widgets/plot/value_summary.h"
#include "widgets/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/profile_column.h"
#include "widgets/view/view_header.h"

#include <QEvent>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

/// Below these widths one map, and two beside each other, leave no room for curves.
constexpr int roomForOne = 360;
constexpr int roomForTwo = 900;

/// Of a field of blocks, which it keeps alive.
std::shared_ptr<const BlockView> blocksOf(const std::shared_ptr<const Field>& field) {
  const auto blocks = std::dynamic_pointer_cast<const BlockField>(field);
  return blocks ? std::shared_ptr<const BlockView>(blocks, &blocks->view()) : nullptr;
}

Error outside(Cell cell, Extent size) {
  return invalid("cell (" + to_text(cell.row) + ", " + to_text(cell.col) +
                 ") is outside of the matrix, rows are 0 to " + to_text(size.rows - 1) + " and columns 0 to " +
                 to_text(size.cols - 1));
}

bool isIn(Cell cell, Extent size) {
  return cell.row >= 0 && cell.row < size.rows && cell.col >= 0 && cell.col < size.cols;
}

}  // namespace

FieldPage::FieldPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
    : WorkspacePage(workbench, info, parent),
      m_maps(new QSplitter(Qt::Horizontal)),
      m_profiles(new ProfileColumn(this)) {
  auto* across = new QSplitter(Qt::Horizontal, this);
  for (auto* splitter : {m_maps, across}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);  // a line to see, with a wider one to take hold of
  }
  across->addWidget(m_maps);
  m_viewA = addMap();
  m_viewB = addMap();
  m_viewB->hide();
  m_read = m_viewA;
  m_link = m_viewB->header()->addButton("link", tr("Link cursor and zoom of both maps"));
  m_link->setCheckable(true);
  m_link->setChecked(true);
  connect(m_link, &QToolButton::toggled, this, [this](bool on) {
    m_linked = on;
    if (on) m_viewB->setRange(m_viewA->range());
  });
  across->addWidget(m_profiles);
  addCompanions();
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
  const auto exportMap = [this, view] {
    const auto targets = exportTargets();
    emit exportRequested(targets[view == m_viewB && targets.size() > 1 ? 1 : 0]);
  };
  connect(view->header()->addButton("export", tr("Export this map")), &QToolButton::clicked, this, exportMap);
  connect(view->addMenuAction(tr("Export this map…")), &QAction::triggered, this, exportMap);
  connect(view, &MatrixView::rangeChanged, this, [this, view](const auto& range) { onRangeChanged(view, range); });
  connect(view, &MatrixView::cellHovered, this, [this, view](const auto& cell) { onHovered(view, cell); });
  connect(view, &MatrixView::cellPicked, this, [this, view](Cell cell) { onPicked(view, cell); });
  connect(view, &MatrixView::pictureShown, this, [this, view] {
    showFrame(view);
    m_profileTimer.start();
  });
  return view;
}

void FieldPage::addCompanions() {
  connect(m_profiles, &ProfileColumn::readoutChanged, this,
          [this](const auto& report) { showCurveReadout(mainMethod(), report); });
  for (const auto& id : m_info.curves) {
    const Method* method = find_method(id);
    auto* view = m_profiles->addCurves();
    connect(view, &CurveView::readoutChanged, this,
            [this, method](const auto& report) { showCurveReadout(method, report); });
    connect(view, &CurveView::axesChosen, this,
            [this, method](const CurveAxes& axes) { m_workbench.setAxes(m_info.id, method->id, axes); });
    auto* button = view->header()->addButton("export", tr("Export %1").arg(text(method->title)));
    connect(button, &QToolButton::clicked, this, [this, method] {
      emit exportRequested({method, carried_values(*method, state().values), std::nullopt});
    });
    m_companions.push_back(view);
  }
}

const Method* FieldPage::mainMethod() const { return find_method(state().method); }

void FieldPage::sync() {
  const WorkspaceState& now = state();
  if (m_shown) {
    m_viewA->setRange(now.view);  // another session may differ in nothing else
    m_shown->view = now.view;
  }
  if (m_shown == now) return showProblem({});  // back to what is on screen
  const auto updated = m_fields.update(now);
  showProblem(updated ? QString() : text(updated.error().message));
  if (!updated) return;
  const bool newValues =
      !m_shown || m_shown->values != now.values || m_shown->method != now.method || m_shown->axes != now.axes;
  // Rows and columns of another method may be blocks instead of cells.
  if (m_shown && m_shown->method != now.method) forgetCells();
  m_shown = now;
  showMaps();
  if (newValues) showCompanions();
  showCell();
}

void FieldPage::showProblem(const QString& sentence) {
  for (auto* view : {m_viewA, m_viewB}) view->setProblem(sentence);
}

MatrixContent FieldPage::contentOf(const ComparedFields::Side& side, const QString& prefix) const {
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
          state().keep_aspect,
          lossMarks(state(), side.field->extent().rows)};
}

MatrixContent FieldPage::differenceContent() const {
  MatrixContent content = contentOf(m_fields.a(), tr("A − B · "));
  const Method& method = *mainMethod();
  content.subtitle = QStringLiteral("A: %1   B: %2")
                         .arg(content.subtitle, valueSummary(method, carried_values(method, m_fields.b().values)));
  content.field = m_fields.difference();
  content.scale = differenceScale(currentPalette().dark);
  return content;
}

void FieldPage::showMaps() {
  const CompareMode mode = state().compare;
  const bool two = mode == CompareMode::side_by_side;
  m_viewB->setVisible(two);
  if (!two) m_read = m_viewA;
  m_profiles->setVisible(width() >= (two ? roomForTwo : roomForOne));
  m_maps->setSizes({1000, 1000});  // equal halves, whatever the titles want
  const auto& view = state().view;
  m_viewA->setRange(view);
  if (mode == CompareMode::difference) return m_viewA->setContent(differenceContent());
  m_viewA->setContent(contentOf(m_fields.a(), two ? QStringLiteral("A · ") : QString()));
  if (!two) return;
  m_viewB->setContent(contentOf(m_fields.b(), QStringLiteral("B · ")));
  if (m_linked) m_viewB->setRange(view);
}

void FieldPage::showCompanions() {
  const auto& shown = mainMethod()->field()->companions;
  for (std::size_t i = 0; i < m_companions.size(); ++i) {
    const Method& method = *find_method(m_info.curves[i]);
    const bool explains = std::ranges::count(shown, method.id) > 0;
    m_companions[i]->setVisible(explains);
    if (!explains) continue;
    const auto values = carried_values(method, state().values);
    m_companions[i]->setMethod(method, values, axesOf(method.id));
  }
}

std::shared_ptr<const Field> FieldPage::readField() const {
  if (m_fields.difference()) return m_fields.difference();
  return m_read == m_viewB ? m_fields.b().field : m_fields.a().field;
}

QString FieldPage::readSide() const {
  if (state().compare != CompareMode::side_by_side) return {};
  return m_read == m_viewB ? QStringLiteral("B") : QStringLiteral("A");
}

void FieldPage::showCell() {
  m_profileTimer.start();
  const auto cell = m_hovered ? m_hovered : m_picked;
  const auto field = readField();
  if (!cell || !field || cell->row >= field->extent().rows || cell->col >= field->extent().cols)
    return emit readoutShown(std::nullopt);
  Readout readout{mainMethod(), field->report(cell->row, cell->col)};
  if (const QString side = readSide(); !side.isEmpty())
    readout.report.facts.insert(readout.report.facts.begin(), {"map", side.toStdString()});
  if (const auto& marks = m_read->content().rowMarks)
    readout.report.facts.emplace_back(marks->title.toStdString(),
                                      marks->rows[static_cast<std::size_t>(cell->row)] ? "yes" : "no");
  emit readoutShown(readout);
}

void FieldPage::showCurveReadout(const Method* method, const std::optional<CellReport>& report) {
  if (report) return emit readoutShown(Readout{method, *report});
  showCell();  // the picked cell, where there is one
}

void FieldPage::showFrame(const MatrixView* view) {
  if (const auto picture = view->picture())
    emit frameShown({picture->exact, view->frameMilliseconds(), picture->bytes});
}

void FieldPage::announce() {
  showCell();
  showFrame(m_read);
}

void FieldPage::showProfiles() {
  const auto field = readField();
  if (!field || !m_profiles->isVisible()) return;
  if (m_read->isBusy()) return;  // the picture first: it calls again when it is there
  const Extent extent = field->extent();
  const ViewRange view = m_read->visibleRange();
  const Range rows = cells_in(view.row_first, view.row_last, extent.rows);
  const Range cols = cells_in(view.col_first, view.col_last, extent.cols);
  const Cell middle{(rows.begin + rows.end) / 2, (cols.begin + cols.end) / 2};
  const Cell cell = m_hovered ? *m_hovered : m_picked.value_or(middle);
  const FieldRecipe* recipe = mainMethod()->field();
  const bool keys = recipe->scale == ValueScale::visibility && !m_fields.difference();
  m_profiles->show({field, recipe, std::min(cell.row, extent.rows - 1), std::min(cell.col, extent.cols - 1), rows, cols,
                    keys, readSide()});
}

void FieldPage::onHovered(MatrixView* view, const std::optional<Cell>& cell) {
  m_hovered = cell;
  if (cell) m_read = view;
  for (auto* each : maps())
    if (m_linked || each == view) each->setHovered(cell);
  showCell();
}

void FieldPage::onPicked(MatrixView* view, Cell cell) {
  pick(view, cell);
  if (const auto blocks = blocksOf(view == m_viewB ? m_fields.b().field : m_fields.a().field)) {
    const Rect cells = blocks->cells(cell.row, cell.col);
    cell = {cells.rows.begin, cells.cols.begin};
  }
  emit cellPicked(cell);
}

void FieldPage::pick(MatrixView* view, Cell cell) {
  m_picked = cell;
  m_read = view;
  // A cell picked by key is the one to read, wherever the mouse rests.
  m_hovered.reset();
  for (auto* each : maps()) {
    each->setPicked(cell);
    each->setHovered(std::nullopt);
  }
  showCell();
}

void FieldPage::forgetCells() {
  m_picked.reset();
  m_hovered.reset();
  for (auto* view : {m_viewA, m_viewB}) {
    view->setPicked(std::nullopt);
    view->setHovered(std::nullopt);
  }
}

void FieldPage::onRangeChanged(MatrixView* from, const std::optional<ViewRange>& range) {
  if (m_linked)
    for (auto* view : maps())
      if (view != from) view->setRange(range);
  if (from == m_viewA || m_linked) m_workbench.setView(m_info.id, range);
  m_profileTimer.start();
}

std::vector<MatrixView*> FieldPage::maps() const {
  std::vector<MatrixView*> shown{m_viewA};
  if (state().compare == CompareMode::side_by_side) shown.push_back(m_viewB);
  return shown;
}

void FieldPage::fit() {
  for (auto* view : maps()) view->setRange(std::nullopt);
  m_workbench.setView(m_info.id, std::nullopt);
  m_profileTimer.start();
}

void FieldPage::zoom(double factor) { m_read->zoom(factor); }

Result<void> FieldPage::goTo(Cell cell) {
  const Extent size = m_fields.a().field->extent();
  if (!isIn(cell, size)) return outside(cell, size);
  m_viewA->reveal(cell);
  onPicked(m_viewA, cell);
  return {};
}

Result<void> FieldPage::goToKey(Cell cell) {
  const auto shown = blocks();
  if (!shown) return goTo(cell);
  if (const Extent size = shown->mask().extent(); !isIn(cell, size)) return outside(cell, size);
  const Cell block{cell.row / shown->size().q, cell.col / shown->size().kv};
  m_viewA->reveal(block);
  pick(m_viewA, block);
  emit cellPicked(cell);  // itself, not the first cell of its block
  return {};
}

std::optional<Extent> FieldPage::extent() const {
  const auto& field = m_fields.a().field;
  return field ? std::optional(field->extent()) : std::nullopt;
}

std::vector<ExportTarget> FieldPage::exportTargets() const {
  const Method* method = mainMethod();
  std::vector<ExportTarget> targets{{method, carried_values(*method, state().values), m_viewA->range()}};
  if (state().compare == CompareMode::side_by_side)
    targets.push_back({method, carried_values(*method, state().other), m_viewB->range()});
  for (const auto& id : method->field()->companions)
    if (const Method* curve = find_method(id))
      targets.push_back({curve, carried_values(*curve, state().values), std::nullopt});
  return targets;
}

std::shared_ptr<const Mask> FieldPage::mask() const { return mask_of(m_fields.a().field); }

std::shared_ptr<const Mask> FieldPage::secondMask() const {
  return state().compare == CompareMode::none ? nullptr : mask_of(m_fields.b().field);
}

std::shared_ptr<const BlockView> FieldPage::blocks() const { return blocksOf(m_fields.a().field); }

/// Of what is on screen, which the session may be ahead of.
std::shared_ptr<const ContractCase> FieldPage::contractCase() const {
  auto shown = mask();
  if (!shown) return nullptr;
  const auto values = carried_values(*find_method("visibility"), m_fields.a().values);
  auto layout = SequenceLayout::make(preset_sequence(values));
  return layout ? std::make_shared<const ContractCase>(contract_case(std::move(shown), std::move(*layout), values))
                : nullptr;
}

bool FieldPage::isBusy() const {
  if (m_profiles->isBusy() || m_profileTimer.isActive()) return true;
  const auto busy = [](const auto* view) { return view->isBusy(); };
  return std::ranges::any_of(maps(), busy) || std::ranges::any_of(m_companions, busy);
}

void FieldPage::changeEvent(QEvent* event) {
  WorkspacePage::changeEvent(event);
  // Mask colours and the colour of wrapped phases belong to the theme.
  if (event->type() == QEvent::PaletteChange && m_shown) showMaps();
}

void FieldPage::resizeEvent(QResizeEvent* event) {
  WorkspacePage::resizeEvent(event);
  const bool two = state().compare == CompareMode::side_by_side;
  m_profiles->setVisible(width() >= (two ? roomForTwo : roomForOne));
}

}  // namespace vqscope
