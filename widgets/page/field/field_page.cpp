// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/field_page.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/field/lattice.h"
#include "widgets/page/field/companion_curves.h"
#include "widgets/page/field/look_edits.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/linked_maps.h"
#include "widgets/view/map/look_menus.h"
#include "widgets/view/profile_column.h"

#include <QEvent>
#include <QHideEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <tuple>

namespace vqscope {
namespace {

/// Minimum widths at which one map, or several side by side, leave space for curves.
constexpr int roomForOne = 360;
constexpr int roomForTwo = 900;

/// One row with curves at its end, or two columns: whichever gives square maps larger cells.
bool hasRoomForRow(std::size_t count, QSize room) {
  const int inRow = std::min(room.width() / static_cast<int>(count + 1), room.height());
  return inRow >= std::min(room.width(), room.height()) / 2;
}

constexpr std::size_t longestToken = 80;
constexpr int turningMilliseconds = 300;

Error notThere() { return invalid("the matrix is still being computed; try again when it is shown"); }

/// The state that determines the fields, without the visible range.
WorkspaceState withoutRange(WorkspaceState state) {
  state.view.reset();
  return state;
}

Error outside(Cell cell, Extent size) {
  return invalid("cell (" + to_text(cell.row) + ", " + to_text(cell.col) + ") is outside the matrix; rows are 0 to " +
                 to_text(size.rows - 1) + " and columns 0 to " + to_text(size.cols - 1));
}

}  // namespace

FieldPage::FieldPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
    : WorkspacePage(workbench, info, parent),
      m_reading(this),
      m_maps(new LinkedMaps(this)),
      m_look(new LookMenus(this)),
      m_profiles(new ProfileColumn(this)),
      m_across(new QSplitter(Qt::Horizontal, this)),
      m_companions(new CompanionCurves(workbench, info, *m_profiles, this)) {
  m_across->setChildrenCollapsible(false);
  m_across->setHandleWidth(1);
  m_across->addWidget(m_maps);
  connectMaps();
  m_maps->setLookMenus(m_look);
  connectLookEdits(*m_look, workbench, info.id, [this](const QString& sentence) { emit said(sentence, true); });
  connect(m_profiles, &ProfileColumn::readoutChanged, this,
          [this](const auto& report) { showCurveReadout(mainMethod(), report); });
  connect(m_companions, &CompanionCurves::readoutChanged, this, &FieldPage::showCurveReadout);
  connect(m_companions, &CompanionCurves::exportAsked, this, &WorkspacePage::exportRequested);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_across);
  m_profileTimer.setSingleShot(true);
  m_profileTimer.setInterval(0);
  connect(&m_profileTimer, &QTimer::timeout, this, &FieldPage::showProfiles);
  m_turning.setSingleShot(true);
  m_turning.setInterval(turningMilliseconds);
  connect(&m_turning, &QTimer::timeout, this, [this] {
    if (m_shown && m_asked && m_shown->method != m_asked->method) clear();
  });
  connect(&m_reading, &CellReading::slow, this, &WorkspacePage::readoutPending);
  connect(&m_reading, &CellReading::done, this, [this](const auto& field, Cell cell, const CellReport& report) {
    if (field == readField()) showReport(cell, report);
  });
}

void FieldPage::connectMaps() {
  connect(m_maps, &LinkedMaps::exportAsked, this, [this](std::size_t map) {
    // The session may have fewer maps by now.
    const auto targets = mapTargets();
    emit exportRequested(targets[std::min(map, targets.size() - 1)]);
  });
  connect(m_maps, &LinkedMaps::rangeChanged, this, [this](const auto& range, bool whole) {
    if (whole) m_workbench.setView(m_info.id, range);
    m_profileTimer.start();
  });
  connect(m_maps, &LinkedMaps::goToAsked, this, &WorkspacePage::goToAsked);
  connect(m_maps, &LinkedMaps::said, this, &WorkspacePage::said);
  connect(m_maps, &LinkedMaps::cellChanged, this, &FieldPage::showCell);
  connect(m_maps, &LinkedMaps::picking, this, &FieldPage::onPicking);
  connect(m_maps, &LinkedMaps::pictureShown, this, [this] {
    showFrame();
    m_profileTimer.start();
  });
  connect(m_maps, &LinkedMaps::freshnessChanged, this, &FieldPage::showFrame);
}

const Method* FieldPage::mainMethod() const { return find_method(state().method); }

bool FieldPage::hasMasks() const { return mainMethod()->category == "masks"; }

void FieldPage::sync() {
  const WorkspaceState& now = state();
  m_look->setLook({now.aggregate, now.colour_map, now.keep_aspect, now.compare,
                   aggregates_of(*mainMethod(), now.compare == CompareMode::difference)});
  if (m_shown) m_maps->setRange(now.view);  // another session may differ only in the range
  showTokens();
  if (std::exchange(m_companionsLeft, false)) showCompanions();
  const auto wanted = withoutRange(now);
  if (m_asked == wanted) return;
  m_asked = wanted;
  m_refusal.clear();
  if (m_shown == wanted)
    m_making.stop();  // the session is back at the state on screen
  else
    make();
  showFreshness();
}

void FieldPage::forget() {
  m_making.stop();
  m_asked.reset();
  m_refusal.clear();
  clear();
}

void FieldPage::clear() {
  m_turning.stop();
  m_reading.stop();
  m_profileTimer.stop();
  m_shown.reset();
  m_fields = {};
  m_maps->clear();
  m_profiles->clear();
  m_companions->stop();
  m_companionsLeft = false;
  emit readoutShown(std::nullopt);
  emit answered();
  showFreshness();
}

void FieldPage::make() {
  if (m_shown && m_shown->method != m_asked->method) m_turning.start();
  m_making.run<Result<ComparedFields>>(
      [asked = *m_asked, there = m_fields](std::stop_token stop) {
        return ComparedFields::make(asked, there, {.progress = {}, .stop = std::move(stop)});
      },
      [this, asked = *m_asked](Result<ComparedFields> made) { take(asked, std::move(made)); });
}

/// Replaces everything at once, so that maps, readout and profiles always show one state.
void FieldPage::take(const WorkspaceState& of, Result<ComparedFields> made) {
  if (!made) {
    if (m_asked != of) return;
    m_refusal = text(made.error().message);
    if (m_shown && m_shown->method != of.method) clear();
    return showFreshness();
  }
  const bool newValues = !m_shown || m_shown->values != of.values || m_shown->method != of.method ||
                         m_shown->axes != of.axes || m_shown->pinned != of.pinned;
  // Rows and columns of another method may be blocks instead of cells.
  if (m_shown && m_shown->method != of.method) m_maps->forgetCells();
  m_turning.stop();
  m_fields = std::move(*made);
  m_shown = of;
  showMaps();
  m_profiles->expect(readField());
  if (newValues) showCompanions();
  showCell();
  emit answered();
  showFreshness();
}

Freshness FieldPage::madeFreshness() const {
  if (!m_refusal.isEmpty()) return Freshness::outdated(m_refusal);
  return m_shown && m_shown == m_asked ? Freshness() : Freshness::computing();
}

void FieldPage::showFreshness() {
  const Freshness now = freshness();
  m_maps->setFreshness(now);
  m_profiles->setFreshness(now);
  WorkspacePage::showFreshness();
}

MatrixContent FieldPage::contentOf(const ComparedFields::Side& side) const {
  const Method& method = *side.method;
  const FieldRecipe& recipe = *method.field();
  const bool dark = currentPalette().dark;
  const auto [title, subtitle] = m_fields.titlesOf(side);
  return {title,
          subtitle,
          text(recipe.row_title),
          text(recipe.col_title),
          side.field,
          colourScale(method, side.field, side.carried, m_shown->colour_map, dark),
          m_shown->aggregate,
          m_shown->keep_aspect,
          m_fields.rowMarks(),
          m_tokens,
          token_axes(method, side.carried)};
}

MatrixContent FieldPage::differenceContent() const {
  const auto& a = m_fields.sides()[0];
  const auto& b = m_fields.sides()[1];
  MatrixContent content = contentOf(a);
  std::tie(content.title, content.subtitle) = m_fields.differenceTitles();
  content.field = m_fields.difference();
  content.scale = differenceScale(*a.method, a.carried, b.carried, content.field, currentPalette().dark);
  return content;
}

void FieldPage::showMaps() {
  std::vector<MatrixContent> contents;
  if (m_fields.difference())
    contents.push_back(differenceContent());
  else
    for (const auto& side : m_fields.sides()) contents.push_back(contentOf(side));
  m_maps->setContents(contents);
  m_maps->setRange(state().view);
  arrange();
}

void FieldPage::showTokens() {
  if (m_tokens == tokens()) return;
  m_tokens = tokens();
  if (!m_shown) return;
  showMaps();
  showCell();
  emit answered();  // the row debugger has them too
}

void FieldPage::arrange() {
  const std::size_t count = m_maps->count();
  const bool many = count > 2;
  const bool wraps = many && !hasRoomForRow(count, size());
  const bool hole = wraps && count % 2 == 1;
  if (!hole && (m_profiles->parentWidget() != m_across || many != m_many)) {
    m_across->addWidget(m_profiles);
    m_across->setSizes(many ? QList<int>{static_cast<int>(count) * 330, 330} : QList<int>{640, 330});
  }
  m_many = many;
  m_maps->arrange(wraps ? 2 : count, hole ? m_profiles : nullptr);
  const int room = count == 1 ? roomForOne : roomForTwo;
  m_profiles->setVisible(hole || width() >= room);
}

const ComparedFields::Side& FieldPage::readSide() const {
  return m_fields.sides()[std::min(m_maps->read(), m_fields.sides().size() - 1)];
}

std::shared_ptr<const Field> FieldPage::readField() const {
  if (m_fields.isEmpty()) return nullptr;
  return m_fields.difference() ? m_fields.difference() : readSide().field;
}

QString FieldPage::readName() const { return m_fields.difference() ? QString() : text(readSide().name); }

void FieldPage::showCompanions() {
  if (!m_shown) return;
  m_companions->show(*m_shown);
  CompanionCurves::offer(*m_shown, *m_look);
}

void FieldPage::showCell() {
  m_profileTimer.start();
  const auto cell = m_maps->cell();
  const auto field = readField();
  if (!cell || !field || !isIn(*cell, field->extent())) {
    m_reading.stop();
    return emit readoutShown(std::nullopt);
  }
  m_reading.read(field, *cell);
}

void FieldPage::showReport(Cell cell, CellReport report) {
  Readout readout{readSide().method, std::move(report), readSide().values};
  auto& facts = readout.report.facts;
  const TokenAxes axes = token_axes(*readSide().method, readSide().carried);
  const auto addToken = [&](const char* name, bool is, Index position) {
    const std::string token = is ? shown_token(m_tokens, position, longestToken) : std::string();
    if (!token.empty()) facts.insert(facts.begin(), {name, token});
  };
  addToken("key token", axes.cols, cell.col);
  addToken(axes.cols ? "query token" : "token", axes.rows, cell.row + axes.first_query);
  if (const QString name = readName(); !name.isEmpty())
    readout.report.facts.insert(readout.report.facts.begin(), {"map", name.toStdString()});
  if (const auto& marks = m_fields.rowMarks())
    readout.report.facts.emplace_back(marks->title.toStdString(),
                                      marks->rows[static_cast<std::size_t>(cell.row)] ? "yes" : "no");
  emit readoutShown(readout);
}

void FieldPage::showCurveReadout(const Method* method, const std::optional<CellReport>& report) {
  if (!report) return showCell();  // the picked cell, if there is one
  m_reading.stop();
  emit readoutShown(Readout{method, *report});
}

void FieldPage::showFrame() {
  const MatrixView* view = m_maps->readMap();
  if (const auto picture = view->picture())
    emit frameShown({view->freshness(), picture->exact, view->frameMilliseconds(), picture->bytes});
}

void FieldPage::announce() {
  showCell();
  showFrame();
}

void FieldPage::showProfiles() {
  const auto field = readField();
  if (!field || !m_profiles->isVisible()) return;
  const MatrixView& map = *m_maps->readMap();
  if (map.isBusy()) return;  // wait for the picture, which calls this function again
  const Extent extent = field->extent();
  const ViewRange view = map.visibleRange();
  const Range rows = cells_in(view.row_first, view.row_last, extent.rows);
  const Range cols = cells_in(view.col_first, view.col_last, extent.cols);
  const Cell middle{(rows.begin + rows.end) / 2, (cols.begin + cols.end) / 2};
  const Cell cell = m_maps->cell().value_or(middle);
  const FieldRecipe* recipe = readSide().method->field();
  const bool keys = recipe->scale == ValueScale::visibility && !m_fields.difference();
  m_profiles->show({field, recipe, std::min(cell.row, extent.rows - 1), std::min(cell.col, extent.cols - 1), rows, cols,
                    keys, readName(), readSide().carried, m_fields.difference() != nullptr});
}

void FieldPage::onPicking(std::size_t map, Cell cell) {
  if (map >= m_fields.sides().size()) return;
  m_maps->pick(map, cell);
  if (const auto blocks = blocksOf(m_fields.sides()[map].field)) {
    const Rect cells = blocks->cells(cell.row, cell.col);
    cell = {cells.rows.begin, cells.cols.begin};
  }
  emit cellPicked(cell);
}

std::vector<MatrixView*> FieldPage::maps() const { return m_maps->shown(); }

void FieldPage::fit() { m_maps->fit(); }

void FieldPage::zoom(double factor) { m_maps->readMap()->zoom(factor); }

Result<void> FieldPage::goTo(Cell cell) {
  const auto size = extent();
  if (!size) return notThere();
  if (!isIn(cell, *size)) return outside(cell, *size);
  m_maps->first()->reveal(cell);
  onPicking(0, cell);
  return {};
}

Result<void> FieldPage::goToKey(Cell cell) {
  const auto shown = blocks();
  if (!shown) return goTo(cell);
  if (const Extent size = shown->mask().extent(); !isIn(cell, size)) return outside(cell, size);
  const Cell block{cell.row / shown->size().q, cell.col / shown->size().kv};
  m_maps->first()->reveal(block);
  m_maps->pick(0, block);
  emit cellPicked(cell);  // the cell itself, not the first cell of its block
  return {};
}

std::optional<Extent> FieldPage::extent() const {
  return m_fields.isEmpty() ? std::nullopt : std::optional(m_fields.sides()[0].field->extent());
}

/// Targets of the session, which may be ahead of the maps.
std::vector<ExportTarget> FieldPage::mapTargets() const {
  std::vector<ExportTarget> targets;
  for (const auto& side : ComparedFields::asked(state())) {
    const auto range = targets.size() < m_maps->count() ? maps()[targets.size()]->range() : state().view;
    targets.push_back({side.method, carried_values(*side.method, side.values), range});
    if (state().compare == CompareMode::none) targets.back().name = side.name;
    if (state().compare == CompareMode::difference) break;  // for A − B, the dialog gets B from the session
  }
  return targets;
}

std::vector<ExportTarget> FieldPage::exportTargets() const {
  auto targets = mapTargets();
  for (const auto* ids : {&mainMethod()->field()->companions, &state().pinned})
    for (const auto& id : *ids)
      if (const Method* curve = find_method(id))
        targets.push_back({curve, m_companions->valuesOf(*curve), std::nullopt});
  return targets;
}

Index FieldPage::firstQuery() const {
  return m_fields.isEmpty() ? 0 : token_axes(*m_fields.sides()[0].method, m_fields.sides()[0].carried).first_query;
}

std::vector<QMenu*> FieldPage::menus() const { return m_look->menus(); }

bool FieldPage::isBusy() const {
  if (m_making.isBusy() || m_reading.isBusy()) return true;
  return m_profiles->isBusy() || m_profileTimer.isActive() || m_maps->isBusy() || m_companions->isBusy();
}

void FieldPage::changeEvent(QEvent* event) {
  WorkspacePage::changeEvent(event);
  // The colours of masks and of wrapped phases depend on the theme.
  if (event->type() == QEvent::PaletteChange && m_shown) showMaps();
}

/// A hidden page stops its work; unfinished work starts again when the page is shown.
void FieldPage::hideEvent(QHideEvent* event) {
  WorkspacePage::hideEvent(event);
  if (event->spontaneous()) return;
  if (m_making.isBusy()) m_asked.reset();
  m_making.stop();
  m_reading.stop();
  m_profiles->stop();
  if (m_companions->stop()) m_companionsLeft = true;
}

void FieldPage::resizeEvent(QResizeEvent* event) {
  WorkspacePage::resizeEvent(event);
  arrange();
}

}  // namespace vqscope
