// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/linked_maps.h"

#include "widgets/parts/parts.h"
#include "widgets/theme/icons.h"
#include "widgets/view/map/look_menus.h"
#include "widgets/view/map/map_actions.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

void makeLineThin(QSplitter& splitter) {
  splitter.setChildrenCollapsible(false);
  splitter.setHandleWidth(1);  // a thin visible line, with a wider grip
}

}  // namespace

LinkedMaps::LinkedMaps(QWidget* parent) : QSplitter(Qt::Vertical, parent) {
  makeLineThin(*this);
  connect(this, &QSplitter::splitterMoved, this, [this] { m_equal = false; });
  addMap();
  m_count = 1;
}

void LinkedMaps::addMap() {
  const std::size_t index = m_views.size();
  auto* view = new MatrixView(row(0));
  view->setBannerShown(index == m_only.value_or(0));
  m_views.push_back(view);
  if (index == 1) addLinkButton();
  auto* actions = new MapActions(*view);
  m_actions.push_back(actions);
  if (m_look) addLook(index);
  // A hidden map may still compute a picture, or have the mouse or the focus; its content is gone.
  const auto whileShown = [this, index](auto act) {
    return [this, index, act](const auto&... given) {
      if (index < m_count) act(given...);
    };
  };
  const auto requestExport = whileShown([this, index](const auto&...) { emit exportRequested(index); });
  auto* exportAction = new QAction(icon("export"), tr("Export this map"), view);
  connect(exportAction, &QAction::triggered, this, [requestExport] { requestExport(); });
  view->addAction(exportAction);
  view->header()->addButton("export", exportAction->text())->setDefaultAction(exportAction);
  auto* pin = new QAction(pinActionText(), view);
  connect(pin, &QAction::triggered, this, whileShown([this, index](const auto&...) { emit pinRequested(index); }));
  actions->addHostAction(pin);
  connect(view, &MatrixView::rangeChanged, this,
          whileShown([this, index](const std::optional<ViewRange>& range) { onRangeChanged(index, range); }));
  connect(view, &MatrixView::cellHovered, this,
          whileShown([this, index](const std::optional<Cell>& cell) { onHovered(index, cell); }));
  connect(view, &MatrixView::cellPicked, this, whileShown([this, index](Cell cell) { emit picking(index, cell); }));
  connect(view, &MatrixView::pictureShown, this, whileShown([this, index] { emit pictureShown(index); }));
  connect(actions, &MapActions::goToRequested, this, &LinkedMaps::goToRequested);
  connect(actions, &MapActions::noteRequested, this, &LinkedMaps::noteRequested);
  connect(actions, &MapActions::notified, this, &LinkedMaps::notified);
  connect(view, &MatrixView::freshnessChanged, this, [this, index] {
    if (index == m_read) emit freshnessChanged();
  });
}

void LinkedMaps::setLookMenus(LookMenus* menus) {
  m_look = menus;
  for (std::size_t map = 0; map < m_views.size(); ++map) addLook(map);
}

/// Comparison and further curves are buttons of the first map, and entries of the context menus of
/// all.
void LinkedMaps::addLook(std::size_t map) {
  m_look->addTo(*m_actions[map]);
  if (map > 0) return;
  const auto add = [&](const char* icon, const QString& tip, QMenu* menu) {
    auto* button = m_views[map]->header()->addButton(icon, tip);
    setPopup(button, menu);
  };
  add("compare", tr("Compare two sets of parameters, A and B, side by side or as a difference"), m_look->compareMenu());
  add("profile", tr("Pin a curve beside the map"), m_look->curvesMenu());
}

void LinkedMaps::addLinkButton() {
  auto* link = m_views.back()->header()->addButton("link", tr("Link cursor and zoom of the maps"));
  link->setCheckable(true);
  link->setChecked(true);
  connect(link, &QToolButton::toggled, this, [this](bool on) {
    m_linked = on;
    if (on) setRange(first()->range());
  });
}

QSplitter* LinkedMaps::row(std::size_t index) {
  while (m_rows.size() <= index) {
    auto* made = new QSplitter(Qt::Horizontal, this);
    makeLineThin(*made);
    connect(made, &QSplitter::splitterMoved, this, [this] { m_equal = false; });
    m_rows.push_back(made);
  }
  return m_rows[index];
}

void LinkedMaps::setContents(const std::vector<MatrixContent>& contents) {
  while (m_views.size() < contents.size()) addMap();
  m_count = contents.size();
  if (m_read >= m_count) m_read = 0;
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    m_views[i]->setVisible(i < m_count);
    if (i >= m_count) continue;
    m_views[i]->setPicked(m_picked);
    m_views[i]->setContent(contents[i]);
  }
}

void LinkedMaps::setNotes(const std::vector<NotedCell>& notes) {
  for (std::size_t i = 0; i < m_count; ++i) m_views[i]->setNotes(notes);
}

void LinkedMaps::arrange(std::size_t columns, QWidget* beside) {
  if (columns == m_columns && m_count == m_arranged && beside == m_beside) return;
  m_columns = columns;
  m_arranged = m_count;
  m_beside = beside;
  const std::size_t places = m_count + (beside ? 1 : 0);
  const std::size_t rows = (places + columns - 1) / columns;
  for (std::size_t i = 0; i < m_count; ++i) row(i / columns)->insertWidget(static_cast<int>(i % columns), m_views[i]);
  if (beside) {
    row(rows - 1)->addWidget(beside);
    beside->show();  // hidden widgets are ignored in the sizes
  }
  m_shownRows = rows;
  showRows();
}

void LinkedMaps::showOnly(std::optional<std::size_t> map) {
  if (map) m_read = *map;
  if (std::exchange(m_only, map) == map) return;
  showRows();
}

void LinkedMaps::showRows() {
  for (std::size_t i = 0; i < m_rows.size(); ++i) m_rows[i]->setVisible(i < m_shownRows && (!m_only || m_only == i));
  for (std::size_t i = 0; i < m_views.size(); ++i) m_views[i]->setBannerShown(i == m_only.value_or(0));
  makeEqual();
}

void LinkedMaps::clear() {
  m_count = 1;
  m_read = 0;
  m_picked.reset();
  m_hovered.reset();
  for (auto* view : m_views) {
    view->setVisible(view == first());
    view->clear();
  }
}

/// Regardless of the widths of the titles.
void LinkedMaps::makeEqual() {
  m_equal = true;
  // The rows first, so that they have their final size to divide.
  setSizes(QList<int>(QSplitter::count(), 1000));
  for (QSplitter* splitter : m_rows) splitter->setSizes(QList<int>(splitter->count(), 1000));
}

void LinkedMaps::resizeEvent(QResizeEvent* event) {
  QSplitter::resizeEvent(event);
  // In a window that is small at first, minimum sizes limit the halves.
  if (m_equal) makeEqual();
}

void LinkedMaps::setRange(const std::optional<ViewRange>& range) {
  for (auto* view : shown())
    if (m_linked || view == first()) view->setRange(range);
}

void LinkedMaps::fit() {
  for (auto* view : shown()) view->setRange(std::nullopt);
  emit rangeChanged(std::nullopt, true);
}

void LinkedMaps::onRangeChanged(std::size_t map, const std::optional<ViewRange>& range) {
  if (m_linked)
    for (auto* view : shown())
      if (view != m_views[map]) view->setRange(range);
  emit rangeChanged(range, m_linked || map == 0);
}

void LinkedMaps::onHovered(std::size_t map, const std::optional<Cell>& cell) {
  m_hovered = cell;
  if (cell) m_read = map;
  for (auto* view : shown())
    if (m_linked || view == m_views[map]) view->setHovered(cell);
  emit cellChanged();
}

void LinkedMaps::pick(std::size_t map, Cell cell) {
  m_picked = cell;
  m_read = map;
  // A cell picked by keyboard is read, wherever the mouse is.
  m_hovered.reset();
  for (auto* view : shown()) {
    view->setPicked(cell);
    view->setHovered(std::nullopt);
  }
  emit cellChanged();
}

void LinkedMaps::forgetCells() {
  m_picked.reset();
  m_hovered.reset();
  for (auto* view : m_views) {
    view->setPicked(std::nullopt);
    view->setHovered(std::nullopt);
  }
}

void LinkedMaps::setFreshness(const Freshness& freshness) {
  for (auto* view : m_views) view->setFreshness(freshness);
}

bool LinkedMaps::isBusy() const { return std::ranges::any_of(shown(), &MatrixView::isBusy); }

}  // namespace vqscope
