// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/matrix_view.h"

#include "widgets/parts/text.h"
#include "widgets/plot/matrix_plot.h"
#include "widgets/plot/note/cell_marks.h"
#include "widgets/theme/palette.h"
#include "widgets/view/map/map_drag.h"
#include "widgets/view/map/map_overview.h"
#include "widgets/view/map/zoom_path.h"
#include "widgets/view/map/zoom_trail.h"
#include "widgets/view/overlay.h"
#include "widgets/view/view_header.h"

#include <qcustomplot.h>

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqscope {

MatrixView::MatrixView(QWidget* parent)
    : KeyedView(parent),
      m_header(new ViewHeader(this)),
      m_plot(new QCustomPlot(this)),
      m_overlay(new Overlay(m_plot, Overlay::Banner::top)),
      m_frames([this] { return pictureRequest(); }, this) {
  makePlot();
  makeNavigation();
  setMinimumSize(160, 118);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, focusLine, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_plot, 1);

  connect(&m_frames, &MapFrames::made, this, &MatrixView::showPicture);
  // The size of the map depends on the width of its tick labels: lay out first.
  connect(&m_frames, &MapFrames::beginning, this, [this] {
    if (m_content.field && isVisible()) m_plot->replot(QCustomPlot::rpImmediateRefresh);
  });
  restyle();
}

MatrixView::~MatrixView() = default;

void MatrixView::makePlot() {
  m_map = std::make_unique<MatrixPlot>(*m_plot);
  m_marks = new CellMarks(m_plot);
  m_cursor = std::make_unique<MatrixCursor>(*m_plot);
  m_drag = std::make_unique<MapDrag>(*m_plot, [this](const ViewRange& range) { zoomTo(range); });
  m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_plot->axisRect()->setRangeDragAxes(m_plot->xAxis2, m_plot->yAxis);
  m_plot->axisRect()->setRangeZoomAxes(m_plot->xAxis2, m_plot->yAxis);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->installEventFilter(this);
  m_plot->setMouseTracking(true);
  const auto moved = [this](const QCPRange&) { onAxesMoved(); };
  connect(m_plot->xAxis2, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, moved);
  connect(m_plot->yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, moved);
  // The width of the tick labels moves the map.
  connect(m_plot, &QCustomPlot::afterReplot, this, [this] {
    if (m_plot->axisRect()->rect() != m_navigated) showNavigation();
  });
}

void MatrixView::makeNavigation() {
  m_overview = new MapOverview(m_plot);
  m_path = new ZoomPath(m_plot);
  m_overlay->raise();
  connect(m_overview, &MapOverview::rangeRequested, this,
          [this](const ViewRange& range) { moveTo(range, ZoomTrail::Move::step); });
  connect(m_path, &ZoomPath::backRequested, this, &MatrixView::goBack);
  connect(m_path, &ZoomPath::rangeRequested, this, [this](const std::optional<ViewRange>& range) {
    if (range)
      zoomTo(*range);
    else
      fit();
  });
}

void MatrixView::showNavigation() {
  if (!m_content.field) return;
  const QRect map = m_plot->axisRect()->rect();
  m_navigated = map;
  m_overview->setVisibleRange(m_range, map);
  // Left of the title of the upper axis, which makes way where the range is longer: it names the
  // position too.
  const int title = QFontMetrics(m_plot->xAxis2->labelFont()).horizontalAdvance(m_plot->xAxis2->label());
  const int beside = map.center().x() - title / 2 - 16;
  const Extent extent = m_content.field->extent();
  const bool fits = m_path->widthFor(m_trail, extent) <= beside;
  m_map->showColumnTitle(fits);
  m_path->move(4, 1);
  m_path->show(m_trail, extent, fits ? beside : m_plot->width() - 12);
}

void MatrixView::setContent(const MatrixContent& content) {
  const bool sameShape = m_content.field && m_content.field->extent() == content.field->extent();
  m_content = content;
  m_header->setTitle(content.title, content.subtitle);
  setAccessibleName(tr("Map: %1").arg(content.title));
  m_map->setTitles(content.rowTitle, content.colTitle);
  m_map->setTokens(content.tokens, content.tokenAxes);
  m_map->setRowMarks(content.rowMarks);
  m_drag->setTitles(content.rowTitle, content.colTitle);
  m_path->setTitles(content.rowTitle, content.colTitle);
  m_overview->setSource(content.field, content.aggregate, content.scale);
  if (m_lit && !hasPart(content.scale, *m_lit)) m_lit.reset();
  if (!sameShape) {
    m_drag->clearRuler();
    m_trail.clear();
    m_trail.visit(m_range, ZoomTrail::Move::jump);
    const Extent extent = content.field->extent();
    const auto outside = [&](const std::optional<Cell>& cell) {
      return cell && (cell->row >= extent.rows || cell->col >= extent.cols);
    };
    if (outside(m_picked)) m_picked.reset();
    if (outside(m_hovered)) m_hovered.reset();
  }
  m_failure.clear();
  layoutMap();
  applyRange();
  m_frames.setNew();
  requestFrame();
  showFreshness();
}

void MatrixView::clear() {
  m_frames.stop();
  m_frames.setNew();
  m_drag->clearRuler();
  m_content = {};
  m_range.reset();
  m_lit.reset();
  m_hovered.reset();
  m_picked.reset();
  m_failure.clear();
  m_header->setTitle({}, {});
  m_header->setBadge({}, ViewHeader::Look::good, {});
  m_overview->hide();
  m_path->hide();
  m_map->clear();
  m_marks->setNotes({});
  updateCursor();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
  showFreshness();
}

void MatrixView::expect(const QString& title) {
  if (!m_content.field) m_header->setTitle(title, {});
}

void MatrixView::setRange(const std::optional<ViewRange>& range) {
  if (range == m_range) return;
  travel(range, ZoomTrail::Move::step);
  applyRange();
  requestFrame();
}

void MatrixView::travel(const std::optional<ViewRange>& range, ZoomTrail::Move move) {
  m_range = range;
  m_trail.visit(range, move);
}

void MatrixView::zoomTo(const ViewRange& range) { moveTo(range, ZoomTrail::Move::jump); }

void MatrixView::fit() {
  if (!m_range) return;
  travel(std::nullopt, ZoomTrail::Move::jump);
  applyRange();
  requestFrame();
  emit rangeChanged(m_range);
}

void MatrixView::goBack() {
  if (!m_trail.canGoBack()) return;
  m_range = m_trail.back();
  applyRange();
  requestFrame();
  emit rangeChanged(m_range);
}

void MatrixView::setLit(const std::optional<ScalePart>& part) {
  if (part == m_lit) return;
  m_lit = part;
  requestFrame();
}

ViewRange MatrixView::visibleRange() const { return m_map->range(); }

ViewRange MatrixView::rangeAround(Cell cell, double pixels) const {
  return vqscope::rangeAround(cell, pixels, m_content.field->extent(), m_map->mapSize());
}

void MatrixView::zoom(double factor) { m_map->setRange(scaled(visibleRange(), factor, m_picked)); }

void MatrixView::reveal(Cell cell) { m_map->setRange(revealing(visibleRange(), cell)); }

void MatrixView::applyRange() {
  if (!m_content.field) return;
  m_applying = true;
  m_map->setRange(m_range ? fitted(*m_range, m_content.field->extent()) : wholeRange(*m_content.field));
  m_applying = false;
  updateCursor();
  showNavigation();
}

void MatrixView::onAxesMoved() {
  if (!m_applying && m_content.field) moveTo(m_map->range(), ZoomTrail::Move::step);
}

void MatrixView::moveTo(const ViewRange& range, ZoomTrail::Move move) {
  if (!m_content.field) return;
  const ViewRange wanted = fitted(range, m_content.field->extent());
  m_applying = true;
  m_map->setRange(wanted);
  m_applying = false;
  const ViewRange whole = wholeRange(*m_content.field);
  const std::optional<ViewRange> next = wanted == whole ? std::nullopt : std::optional(wanted);
  if (next == m_range) return;
  travel(next, move);
  updateCursor();
  showNavigation();
  requestFrame();
  emit rangeChanged(m_range);
}

void MatrixView::layoutMap() {
  if (!m_content.field) return;
  const Extent extent = m_content.field->extent();
  const bool square = m_map->setAspect(
      m_content.keepAspect ? std::optional(QSizeF(static_cast<double>(extent.cols), static_cast<double>(extent.rows)))
                           : std::nullopt);
  const QString note = square ? QString() : QStringLiteral(" · ") + notSquare();
  m_header->setTitle(m_content.title, m_content.subtitle + note);
}

QSize MatrixView::mapPixels() const {
  const double scale = m_plot->devicePixelRatioF();
  const QSize map = m_map->mapSize();
  return {std::max(1, static_cast<int>(std::lround(map.width() * scale))),
          std::max(1, static_cast<int>(std::lround(map.height() * scale)))};
}

std::optional<PictureRequest> MatrixView::pictureRequest() const {
  if (!m_content.field || !isVisible()) return std::nullopt;
  const ColourScale& scale = m_content.scale;
  return PictureRequest{m_content.field,
                        m_map->range(),
                        mapPixels(),
                        m_content.aggregate,
                        m_lit ? litScale(scale, *m_lit, currentPalette().panel.rgb()) : scale,
                        m_plot->devicePixelRatioF()};
}

/// A hidden map requests again when it is shown.
void MatrixView::requestFrame() {
  if (isVisible()) m_frames.request();
}

void MatrixView::showPicture(const Result<std::shared_ptr<const MatrixPicture>>& made) {
  if (!made) {
    m_failure = text(made.error().message);
    return showFreshness();
  }
  const auto& picture = *made;
  if (!picture) return;
  m_map->setPicture(picture);
  m_plot->replot(QCustomPlot::rpImmediateRefresh);
  m_frameMilliseconds = m_frames.milliseconds();
  showFreshness();
  m_frames.shown(*picture);
  // The new legend may have changed the size of the map, and a stretched picture would lose rows of
  // cells.
  if (picture->request.pixels != mapPixels()) requestFrame();
  m_overview->refresh();
  emit pictureShown();
}

void MatrixView::setFreshness(const Freshness& freshness) {
  if (freshness == m_given) return;
  m_given = freshness;
  showFreshness();
}

void MatrixView::setBannerShown(bool shown) {
  if (std::exchange(m_hasBanner, shown) != shown) showFreshness();
}

Freshness MatrixView::freshness() const {
  const Freshness own = !m_failure.isEmpty()   ? Freshness::outdated(m_failure)
                        : m_frames.isCurrent() ? Freshness()
                                               : Freshness::computing();
  Freshness now = worse(m_given, own);
  now.isEmpty = now.isEmpty || (now.isOutdated() && !picture());
  return now;
}

void MatrixView::showFreshness() {
  const Freshness now = freshness();
  const bool own = !m_failure.isEmpty() && !m_given.isOutdated();  // no other view can say it
  m_overlay->setBanner(m_hasBanner || own ? Overlay::Banner::top : Overlay::Banner::nowhere);
  m_overlay->setFreshness(now);
  const auto shown = picture();
  if (!now.isCurrent()) {
    m_header->setBadge(now);
  } else if (shown) {
    using Look = ViewHeader::Look;
    const bool isMask = m_content.field && !m_content.field->reasons().empty();
    const QString sample = isMask ? tr("Pixels show a sample of their cells: this mask has too many intervals per row, "
                                       "and counting all its cells would take too long")
                                  : tr("Pixels show a sample of their cells");
    m_header->setBadge(shown->exact ? tr("exact") : tr("sampled"), shown->exact ? Look::good : Look::warning,
                       shown->exact ? tr("Every pixel accounts for all of its cells") : sample);
  }
  emit freshnessChanged();
}

void MatrixView::setOverviewWanted(bool wanted) {
  m_overview->setWanted(wanted);
  showNavigation();
  m_overview->refresh();
}

QPixmap MatrixView::plotPicture() {
  m_cursor->show(std::nullopt, std::nullopt);
  m_map->showColumnTitle(true);
  QPixmap picture = m_plot->toPixmap(0, 0, 2);
  showNavigation();
  updateCursor();
  return picture;
}

std::shared_ptr<const MatrixPicture> MatrixView::picture() const { return m_map->picture(); }

void MatrixView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) restyle();
}

void MatrixView::restyle() {
  m_map->setStyle(screenStyle());
  m_cursor->setStyle(currentPalette());
  m_marks->setStyle(currentPalette());
  showNavigation();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vqscope
