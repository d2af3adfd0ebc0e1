// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/map_overview.h"

#include "widgets/theme/palette.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int longestSide = 132;  // pixels
constexpr int shortestSide = 44;
constexpr int leastMap = 240;  // a smaller map has no space for an overview
constexpr int overviewMargin = 10;
constexpr int frameLine = 1;
constexpr double leastFrame = 6;
constexpr Index overviewCells = Index{1} << 18;

}  // namespace

MapOverview::MapOverview(QWidget* plot) : QWidget(plot) {
  setFocusPolicy(Qt::NoFocus);
  setCursor(Qt::PointingHandCursor);
  setToolTip(tr("Overview of the whole matrix; drag the frame to move the visible part"));
  setAccessibleName(tr("Overview of the whole matrix"));
  hide();
}

void MapOverview::setSource(std::shared_ptr<const Field> field, Aggregate aggregate, const ColourScale& scale) {
  m_source = {std::move(field), {}, {}, aggregate, scale, devicePixelRatioF()};
  m_source.range = wholeRange(*m_source.field);
  m_stale = true;
}

/// The shape of the matrix, as far as both sides stay visible.
QSize MapOverview::sizeIn(const QRect& map) const {
  const Extent extent = m_source.field->extent();
  const int most = std::min(longestSide, std::min(map.width(), map.height()) / 3);
  const double shape = static_cast<double>(extent.cols) / static_cast<double>(extent.rows);
  const auto side = [most](double fraction) {
    return std::clamp(static_cast<int>(std::lround(most * fraction)), std::min(shortestSide, most), most);
  };
  return {side(shape), side(1 / shape)};
}

void MapOverview::setVisibleRange(const std::optional<ViewRange>& range, const QRect& map) {
  m_range = range;
  const bool shown = m_wanted && range && m_source.field && std::min(map.width(), map.height()) >= leastMap;
  if (shown) {
    const QSize size = sizeIn(map);
    setGeometry(map.right() - size.width() - overviewMargin, map.top() + overviewMargin, size.width(), size.height());
  }
  setVisible(shown);
  update();
}

void MapOverview::setWanted(bool wanted) { m_wanted = wanted; }

void MapOverview::refresh() {
  if (isHidden() || m_scheduler.isBusy()) return;
  const double scale = devicePixelRatioF();
  PictureRequest request = m_source;
  request.pixels = QSize(static_cast<int>(std::lround((width() - 2 * frameLine) * scale)),
                         static_cast<int>(std::lround((height() - 2 * frameLine) * scale)));
  request.pixelRatio = scale;
  if (!m_stale && m_picture && m_picture->request.pixels == request.pixels) return;
  m_stale = false;
  m_scheduler.run<std::shared_ptr<const MatrixPicture>>(
      [request](std::stop_token stop) {
        return renderPicture(request, {overviewCells, 1}, std::move(stop));
      },
      [this](const std::shared_ptr<const MatrixPicture>& picture) {
        if (!picture) return;
        m_picture = picture;
        update();
        if (m_stale) refresh();  // the content has changed meanwhile
      });
}

QRectF MapOverview::frame() const {
  if (!m_range || !m_source.field) return {};
  const Extent extent = m_source.field->extent();
  const double across = width() - 2 * frameLine, down = height() - 2 * frameLine;
  const auto x = [&](double col) { return frameLine + across * col / static_cast<double>(extent.cols); };
  const auto y = [&](double row) { return frameLine + down * row / static_cast<double>(extent.rows); };
  QRectF exact(QPointF(x(m_range->col_first), y(m_range->row_first)),
               QPointF(x(m_range->col_last), y(m_range->row_last)));
  const QSizeF size = exact.size().expandedTo({leastFrame, leastFrame});
  const QPointF centre = exact.center();
  return {centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height()};
}

void MapOverview::paintEvent(QPaintEvent*) {
  const Palette& colours = currentPalette();
  QPainter painter(this);
  painter.fillRect(rect(), colours.panel);
  const QRect inside = rect().adjusted(frameLine, frameLine, -frameLine, -frameLine);
  if (m_picture) painter.drawImage(inside, m_picture->image);
  painter.setPen(colours.secondary);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
  // Light and dark, so that the frame is visible on any map.
  painter.setPen(QPen(QColor(0, 0, 0, 170), 3));
  painter.drawRect(frame());
  painter.setPen(QPen(colours.warning, 1.5));
  painter.drawRect(frame());
}

void MapOverview::centreAt(const QPointF& point) {
  if (!m_range) return;
  const Extent extent = m_source.field->extent();
  const double row = point.y() / height() * static_cast<double>(extent.rows);
  const double col = point.x() / width() * static_cast<double>(extent.cols);
  const double rows = m_range->row_last - m_range->row_first, cols = m_range->col_last - m_range->col_first;
  emit rangeRequested({row - rows / 2, row + rows / 2, col - cols / 2, col + cols / 2});
}

void MapOverview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const bool held = frame().contains(event->position());
  m_grab = held ? event->position() - frame().center() : QPointF();
  if (!held) centreAt(event->position());
}

void MapOverview::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) centreAt(event->position() - m_grab);
}

}  // namespace vqscope
