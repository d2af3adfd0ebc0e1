// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/field_page.h"

#include "core/catalogue/registry.h"
#include "widgets/page/field/look_edits.h"
#include "widgets/page/field/related_curves.h"
#include "widgets/parts/text.h"
#include "widgets/theme/after_theme.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/linked_maps.h"
#include "widgets/view/map/look_menus.h"
#include "widgets/view/profile_column.h"
#include "widgets/view/view_header.h"

#include <QEvent>
#include <QHideEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <tuple>
#include <utility>

namespace vqscope {
namespace {

/// Minimum widths at which one map, or several side by side, leave space for curves.
constexpr int roomForOne = 600;
constexpr int roomForTwo = 900;
/// Of each of several maps, with its axes and its colour bar, which leave about 220 for its cells.
constexpr int leastMap = 330;
/// Of each curve view, where the curves have the place of the map.
constexpr int heightBehindTab = 210;

constexpr int turningMilliseconds = 300;

/// One row with curves at its end, or two columns: whichever gives square maps larger cells.
bool hasRoomForRow(std::size_t count, QSize room) {
  const int inRow = std::min(room.width() / static_cast<int>(count + 1), room.height());
  return inRow >= std::min(room.width(), room.height()) / 2;
}

/// The state that determines the fields, without the visible range and notes.
ShownPage withoutRange(ShownPage state) {
  state.view.reset();
  state.notes.clear();
  return state;
}

}  // namespace

FieldPage::FieldPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent),
      m_reading(this),
      m_maps(new LinkedMaps(this)),
      m_look(new LookMenus(this)),
      m_profiles(new ProfileColumn(this)),
      m_across(new QSplitter(Qt::Horizontal, this)),
      m_tabs(new QTabBar(this)),
      m_related(new RelatedCurves(workbench, info, *m_profiles, this)) {
  m_across->setChildrenCollapsible(false);
  m_across->setHandleWidth(1);
  m_across->addWidget(m_maps);
  connectMaps();
  m_maps->setLookMenus(m_look);
  makeFolds();
  connectLookEdits(*m_look, workbench, info.id, [this](const QString& sentence) { emit notified(sentence, true); });
  connect(m_profiles, &ProfileColumn::readoutChanged, this,
          [this](const auto& report) { showCurveReadout(mainMethod(), report); });
  connect(m_related, &RelatedCurves::readoutChanged, this, &FieldPage::showCurveReadout);
  connect(m_related, &RelatedCurves::exportRequested, this, &PageWidget::exportRequested);
  connect(m_related, &RelatedCurves::pinRequested, this, &PageWidget::pinRequested);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tabs);
  layout->addWidget(m_across, 1);
  m_profileTimer.setSingleShot(true);
  m_profileTimer.setInterval(0);
  connect(&m_profileTimer, &QTimer::timeout, this, &FieldPage::showProfiles);
  m_turning.setSingleShot(true);
  m_turning.setInterval(turningMilliseconds);
  connect(&m_turning, &QTimer::timeout, this, [this] {
    if (m_shown && m_requested && m_shown->method != m_requested->method) clear();
  });
  connect(&m_reading, &CellReading::slow, this, &PageWidget::readoutPending);
  connect(&m_reading, &CellReading::done, this, [this](const auto& field, Cell cell, const CellReport& report) {
    if (field == readField()) showReport(cell, report);
  });
}

void FieldPage::makeFolds() {
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setElideMode(Qt::ElideRight);
  m_tabs->setProperty("class", "views");
  m_tabs->setAccessibleName(tr("Maps and curves"));
  m_tabs->hide();
  connect(m_tabs, &QTabBar::currentChanged, this, &FieldPage::showTab);
  m_curvesFold = m_maps->first()->header()->addButton("curves", tr("Show the curves beside the map"));
  m_curvesFold->setCheckable(true);
  m_maps->first()->header()->setOffered(m_curvesFold, false);
  connect(m_curvesFold, &QToolButton::toggled, this, &FieldPage::arrange);
}

void FieldPage::connectMaps() {
  // The session may have fewer maps by now.
  const auto target = [this](std::size_t map) {
    const auto targets = mapTargets();
    return targets[std::min(map, targets.size() - 1)];
  };
  connect(m_maps, &LinkedMaps::exportRequested, this,
          [this, target](std::size_t map) { emit exportRequested(target(map)); });
  connect(m_maps, &LinkedMaps::pinRequested, this, [this, target](std::size_t map) { emit pinRequested(target(map)); });
  connect(m_maps, &LinkedMaps::rangeChanged, this, [this](const auto& range, bool whole) {
    if (whole) m_workbench.setView(m_info.id, range);
    m_profileTimer.start();
  });
  connect(m_maps, &LinkedMaps::goToRequested, this, &PageWidget::goToRequested);
  connect(m_maps, &LinkedMaps::noteRequested, this, &FieldPage::editNote);
  connect(m_maps, &LinkedMaps::notified, this, &PageWidget::notified);
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
  const ShownPage& now = state();
  m_look->setLook({now.aggregate, now.colour_map, now.keep_aspect, now.compare,
                   aggregates_of(*mainMethod(), now.compare == CompareMode::difference)});
  if (m_shown) m_maps->setRange(now.view);  // another session may differ only in the range
  showTokens();
  showNotes();
  if (std::exchange(m_relatedLeft, false)) showRelated();
  const auto wanted = withoutRange(now);
  if (m_requested == wanted) return;
  m_requested = wanted;
  m_refusal.clear();
  if (m_shown == wanted)
    m_making.stop();  // the session is back at the state on screen
  else
    make();
  showFreshness();
}

void FieldPage::forget() {
  m_making.stop();
  m_requested.reset();
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
  m_related->stop();
  m_relatedLeft = false;
  emit readoutShown(std::nullopt);
  emit answered();
  showFreshness();
}

void FieldPage::make() {
  if (m_shown && m_shown->method != m_requested->method) m_turning.start();
  m_making.run<Result<ComparedFields>>(
      [requested = *m_requested, there = m_fields](std::stop_token stop) {
        return ComparedFields::make(requested, there, {.progress = {}, .stop = std::move(stop)});
      },
      [this, requested = *m_requested](Result<ComparedFields> made) { take(requested, std::move(made)); });
}

/// Replaces everything at once, so that maps, readout and profiles always show one state.
void FieldPage::take(const ShownPage& of, Result<ComparedFields> made) {
  if (!made) {
    if (m_requested != of) return;
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
  if (newValues) showRelated();
  showCell();
  emit answered();
  showFreshness();
}

Freshness FieldPage::madeFreshness() const {
  if (!m_refusal.isEmpty()) return Freshness::outdated(m_refusal);
  return m_shown && m_shown == m_requested ? Freshness() : Freshness::computing();
}

void FieldPage::showFreshness() {
  const Freshness now = freshness();
  if (!m_shown && m_requested) m_maps->first()->expect(text(find_method(m_requested->method)->title));
  m_maps->setFreshness(now);
  m_profiles->setFreshness(now);
  PageWidget::showFreshness();
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
  showNotes();
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
  const bool tabs = wraps && std::min(width(), height()) < 2 * leastMap;
  const bool hole = wraps && !tabs && count % 2 == 1;
  if (!hole && (m_profiles->parentWidget() != m_across || many != m_many)) {
    m_across->addWidget(m_profiles);
    m_across->setSizes(many ? QList<int>{static_cast<int>(count) * 330, 330} : QList<int>{640, 330});
  }
  m_many = many;
  m_maps->arrange(tabs ? 1 : wraps ? 2 : count, hole ? m_profiles : nullptr);
  const bool narrow = width() < (count == 1 ? roomForOne : roomForTwo);
  m_maps->first()->header()->setOffered(m_curvesFold, narrow && !tabs && !hole);
  showTabs(tabs);
  if (!tabs) m_profiles->setVisible(hole || !narrow || m_curvesFold->isChecked());
}

void FieldPage::showTabs(bool tabs) {
  const bool were = !m_tabs->isHidden();
  if (tabs) {
    QStringList titles;
    for (const MatrixView* map : maps()) titles << map->content().title;
    titles << tr("Curves");
    const QSignalBlocker quiet(m_tabs);
    while (m_tabs->count() > titles.size()) m_tabs->removeTab(m_tabs->count() - 1);
    while (m_tabs->count() < titles.size()) m_tabs->addTab({});
    for (int i = 0; i < titles.size(); ++i) m_tabs->setTabText(i, titles[i]);
  }
  m_tabs->setVisible(tabs);
  m_profiles->setLeastHeight(tabs ? heightBehindTab : CurveView::usualHeight);
  if (tabs) return showTab(m_tabs->currentIndex());
  if (!were) return;
  m_maps->showOnly(std::nullopt);
  m_maps->show();
}

void FieldPage::showTab(int tab) {
  if (m_tabs->isHidden() || tab < 0) return;
  const auto map = static_cast<std::size_t>(tab);
  const bool curves = map >= m_maps->count();
  m_profiles->setVisible(curves);
  m_maps->setVisible(!curves);
  if (!curves) m_maps->showOnly(map);
  announce();
}

void FieldPage::showRelated() {
  if (!m_shown) return;
  m_related->show(*m_shown);
  RelatedCurves::offer(*m_shown, *m_look);
}

std::vector<MatrixView*> FieldPage::maps() const { return m_maps->shown(); }

void FieldPage::fit() { m_maps->fit(); }

void FieldPage::zoom(double factor) { m_maps->readMap()->zoom(factor); }

/// Targets of the session, which may be ahead of the maps.
std::vector<ExportTarget> FieldPage::mapTargets() const {
  std::vector<ExportTarget> targets;
  for (const auto& side : ComparedFields::sidesOf(state())) {
    const auto range = targets.size() < m_maps->count() ? maps()[targets.size()]->range() : state().view;
    targets.push_back({side.method, carried_values(*side.method, side.values), range});
    if (state().compare == CompareMode::none) targets.back().name = side.name;
    if (state().compare == CompareMode::difference) break;  // for A − B, the dialog gets B from the session
  }
  return targets;
}

std::vector<ExportTarget> FieldPage::exportTargets() const {
  auto targets = mapTargets();
  for (const auto* ids : {&mainMethod()->field()->related, &state().pinned})
    for (const auto& id : *ids)
      if (const Method* curve = find_method(id)) targets.push_back({curve, m_related->valuesOf(*curve), std::nullopt});
  return targets;
}

std::vector<QMenu*> FieldPage::menus() const { return m_look->menus(); }

bool FieldPage::isBusy() const {
  if (m_making.isBusy() || m_reading.isBusy()) return true;
  return m_profiles->isBusy() || m_profileTimer.isActive() || m_maps->isBusy() || m_related->isBusy();
}

void FieldPage::changeEvent(QEvent* event) {
  PageWidget::changeEvent(event);
  // The colours of masks and of wrapped phases depend on the theme. After the event: the theme is
  // changed while Qt goes through all widgets, and what maps cause may delete some.
  if (event->type() != QEvent::PaletteChange || !m_shown || std::exchange(m_recolours, true)) return;
  QMetaObject::invokeMethod(
      this,
      [this] {
        m_recolours = false;
        if (m_shown) showMaps();
      },
      Qt::QueuedConnection);
}

/// A hidden page stops its work; unfinished work starts again when the page is shown.
void FieldPage::hideEvent(QHideEvent* event) {
  PageWidget::hideEvent(event);
  if (event->spontaneous()) return;
  if (m_making.isBusy()) m_requested.reset();
  m_making.stop();
  m_reading.stop();
  m_profiles->stop();
  if (m_related->stop()) m_relatedLeft = true;
}

void FieldPage::resizeEvent(QResizeEvent* event) {
  PageWidget::resizeEvent(event);
  afterTheme(this, [this] { arrange(); });
}

}  // namespace vqscope
