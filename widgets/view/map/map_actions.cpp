// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/map_actions.h"

#include "core/base/text.h"
#include "core/mask/map/block_view.h"
#include "widgets/paint/lit_scale.h"
#include "widgets/parts/text.h"
#include "widgets/view/matrix_view.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include <algorithm>

namespace vqscope {
namespace {

constexpr double pixelsOfCell = 4;  // after a zoom to one place
constexpr Index fewestCells = 16;

/// Column minus row on the diagonal, where queries meet themselves; nothing: the matrix has none.
std::optional<Index> diagonalOf(const Field& field) {
  const Extent extent = field.extent();
  const FieldForm form = field.form();
  if (const auto* relative = std::get_if<RelativeForm>(&form)) return relative->past_len;
  const bool positions = field.mask() || std::holds_alternative<const BlockView*>(form) || extent.rows == extent.cols;
  if (!positions) return std::nullopt;
  return std::max<Index>(0, extent.cols - extent.rows);  // the last query sees the last key
}

ViewRange rangeOf(const Rect& cells) {
  return {static_cast<double>(cells.rows.begin), static_cast<double>(cells.rows.end),
          static_cast<double>(cells.cols.begin), static_cast<double>(cells.cols.end)};
}

ViewRange withMargin(ViewRange range) {
  constexpr double fraction = 0.15;
  const auto widen = [](double& first, double& last) {
    const double more = std::max(fraction * (last - first), static_cast<double>(fewestCells) / 2);
    first -= more;
    last += more;
  };
  widen(range.row_first, range.row_last);
  widen(range.col_first, range.col_last);
  return range;
}

/// Whether so small a part of the matrix would be hard to find.
bool isSmallPart(const Rect& cells, Extent extent) {
  return 4 * cells.rows.size() <= 3 * extent.rows || 4 * cells.cols.size() <= 3 * extent.cols;
}

struct Found {
  std::optional<ChangeCell> first;
  std::optional<Rect> bounds;  ///< of a difference
};

Result<Found> findDifference(const Field& field, const std::stop_token& stop) {
  const auto first = first_nonzero(field, stop);
  if (!first) return first.error();
  const auto bounds = nonzero_bounds(field, stop);
  if (!bounds) return bounds.error();
  return Found{*first, *bounds};
}

Result<Found> findChange(const Field& field, ChangeCell from, const std::stop_token& stop) {
  const auto nearest = nearest_change(field, from, stop);
  if (!nearest) return nearest.error();
  return Found{*nearest, std::nullopt};
}

}  // namespace

MapActions::MapActions(MatrixView& view) : QObject(&view), m_view(view) {
  addCopyActions();
  addZoomActions();
  connect(&view, &MatrixView::menuRequested, this, [this](const std::optional<Cell>& cell, const QPoint& global) {
    QMenu* menu = makeMenu(cell);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(global);
  });
}

QAction* MapActions::add(const QString& title) {
  auto* action = new QAction(title, this);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_view.addAction(action);
  return action;
}

void MapActions::addCopyActions() {
  m_copyValue = add(tr("Copy value"));
  m_copyValue->setShortcut(QKeySequence::Copy);
  connect(m_copyValue, &QAction::triggered, this, &MapActions::copyValue);
  m_copyReport = add(tr("Copy all about this cell"));
  connect(m_copyReport, &QAction::triggered, this, &MapActions::copyReport);
  m_copyPicture = add(tr("Copy picture"));
  connect(m_copyPicture, &QAction::triggered, this,
          [this] { QApplication::clipboard()->setPixmap(m_view.plotPicture()); });
}

void MapActions::addZoomActions() {
  m_goTo = add(tr("Go to cell…"));
  connect(m_goTo, &QAction::triggered, this, &MapActions::goToRequested);
  m_note = add(tr("Note on this cell…\tN"));  // the key is that of the window's menu
  connect(m_note, &QAction::triggered, this, [this] {
    if (const auto cell = pointedCell(tr("No cell for a note: point at one, or pick one by a click")))
      emit noteRequested(*cell);
  });
  m_fit = add(tr("Fit the whole matrix"));
  connect(m_fit, &QAction::triggered, &m_view, &MatrixView::fit);
  m_back = add(tr("Back to the previous range"));
  m_back->setShortcut(Qt::Key_Backspace);
  connect(m_back, &QAction::triggered, &m_view, &MatrixView::goBack);
  m_diagonal = add(tr("Zoom to the diagonal"));
  connect(m_diagonal, &QAction::triggered, this, &MapActions::zoomToDiagonal);
  m_change = add(tr("Zoom to what changes"));
  m_change->setToolTip(tr("The first region where A and B differ, or the nearest cell with another value"));
  connect(m_change, &QAction::triggered, this, &MapActions::zoomToChange);
  m_overview = add(tr("Overview while zoomed"));
  m_overview->setCheckable(true);
  m_overview->setChecked(true);
  connect(m_overview, &QAction::toggled, &m_view, &MatrixView::setOverviewWanted);
}

void MapActions::addHostAction(QAction* action) { m_host.append(action); }

void MapActions::update() {
  const auto& field = m_view.content().field;
  for (auto* action : {m_copyValue, m_copyReport, m_note}) action->setEnabled(chosen().has_value());
  m_copyPicture->setEnabled(m_view.picture() != nullptr);
  m_fit->setEnabled(m_view.range().has_value());
  m_back->setEnabled(m_view.canGoBack());
  m_diagonal->setVisible(field && diagonalOf(*field));
  m_change->setEnabled(field != nullptr);
}

QMenu* MapActions::makeMenu(const std::optional<Cell>& cell) {
  auto* menu = new QMenu(&m_view);
  m_menu = menu;
  m_cell = cell;
  update();
  menu->setToolTipsVisible(true);
  connect(menu, &QObject::destroyed, this, [this] {
    for (auto* action : {m_copyValue, m_back}) action->setEnabled(true);  // for their shortcuts
  });
  menu->addActions({m_copyValue, m_copyReport, m_copyPicture});
  menu->addSeparator();
  menu->addAction(m_note);
  menu->addSeparator();
  menu->addActions({m_goTo, m_fit, m_back, m_diagonal, m_change, m_overview});
  menu->addSeparator();
  if (QMenu* light = lightMenu(menu)) menu->addMenu(light);
  menu->addActions(m_host);
  menu->addSeparator();
  m_view.header()->fillMenu(*menu, true);
  return menu;
}

/// The entries of the legend, for those who do not click on it.
QMenu* MapActions::lightMenu(QMenu* parent) const {
  const ColourScale& scale = m_view.content().scale;
  const auto parts = partsOf(scale);
  if (parts.size() < 2) return nullptr;
  auto* menu = new QMenu(tr("Highlight"), parent);
  for (const ScalePart& part : parts) {
    QAction* action = menu->addAction(text(nameOf(scale, part)));
    action->setCheckable(true);
    action->setChecked(m_view.lit() == part);
    connect(action, &QAction::triggered, &m_view,
            [this, part](bool on) { m_view.setLit(on ? std::optional(part) : std::nullopt); });
  }
  return menu;
}

std::optional<Cell> MapActions::chosen() const {
  const auto& field = m_view.content().field;
  const auto pointed = m_view.hovered() ? m_view.hovered() : m_view.picked();
  const auto cell = m_menu && m_cell ? m_cell : pointed;
  return field && cell && isIn(*cell, field->extent()) ? cell : std::nullopt;
}

Cell MapActions::place() const {
  if (const auto cell = chosen()) return *cell;
  const ViewRange view = m_view.visibleRange();
  const Extent extent = m_view.content().field->extent();
  const Range rows = cells_in(view.row_first, view.row_last, extent.rows);
  const Range cols = cells_in(view.col_first, view.col_last, extent.cols);
  return {(rows.begin + rows.end) / 2, (cols.begin + cols.end) / 2};
}

std::optional<Cell> MapActions::pointedCell(const QString& refusal) {
  const auto cell = chosen();
  if (!cell) emit notified(refusal, true);
  return cell;
}

std::optional<Cell> MapActions::copied() {
  return pointedCell(tr("No cell to copy: point at one, or pick one by a click"));
}

/// Reading a cell can take long: an experiment computes.
void MapActions::copyValue() {
  const auto cell = copied();
  if (!cell) return;
  const auto field = m_view.content().field;
  m_reading.run<Result<double>>(
      [field, at = *cell](const std::stop_token&) -> Result<double> { return field->at(at.row, at.col); },
      [](const Result<double>& value) {
        if (value) QApplication::clipboard()->setText(text(to_text(*value)));
      });
}

void MapActions::copyReport() {
  const auto cell = copied();
  if (!cell) return;
  const auto field = m_view.content().field;
  m_reading.run<Result<CellReport>>(
      [field, at = *cell](const std::stop_token&) -> Result<CellReport> { return field->report(at.row, at.col); },
      [](const Result<CellReport>& report) {
        if (!report) return;
        QStringList lines;
        for (const auto& [name, value] : report->facts) lines << text(name) + QLatin1Char('\t') + text(value);
        if (!report->why.empty()) lines << text(report->why);
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
      });
}

void MapActions::zoomToDiagonal() {
  const auto field = m_view.content().field;
  const auto diagonal = field ? diagonalOf(*field) : std::nullopt;
  if (!diagonal) return;
  const Extent extent = field->extent();
  const Index row = std::clamp<Index>(place().row, 0, extent.rows - 1);
  const Index col = std::clamp<Index>(row + *diagonal, 0, extent.cols - 1);
  m_view.zoomTo(m_view.rangeAround({row, col}, pixelsOfCell));
}

void MapActions::zoomToChange() {
  const auto field = m_view.content().field;
  if (!field) return;
  const ColourScale& scale = m_view.content().scale;
  const bool difference = scale.difference || scale.signedTurn;
  m_searching.run<Result<Found>>(
      [field, difference, from = place()](const std::stop_token& stop) {
        return difference ? findDifference(*field, stop) : findChange(*field, {from.row, from.col}, stop);
      },
      [this, field, difference](const Result<Found>& found) {
        if (field != m_view.content().field) return;
        if (!found) return emit notified(tr("The change cannot be found: %1").arg(text(found.error().message)), true);
        if (found->first) return showChange(found->first, found->bounds);
        emit notified(difference ? tr("A and B do not differ") : tr("Row and column of this cell are constant"), false);
      });
}

void MapActions::showChange(const std::optional<ChangeCell>& change, const std::optional<Rect>& bounds) {
  const Cell cell{change->row, change->col};
  const bool small = bounds && isSmallPart(*bounds, m_view.content().field->extent());
  m_view.zoomTo(small ? withMargin(rangeOf(*bounds)) : m_view.rangeAround(cell, pixelsOfCell));
  emit m_view.cellPicked(cell);
}

}  // namespace vqscope
