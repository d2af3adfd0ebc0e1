// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/small_multiples.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/theme/fonts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double cellFontScale = 0.86;
constexpr double leastCellWidth = 6.5;   // of a cell, in heights of the font
constexpr double leastCellHeight = 2.6;  // the same
constexpr double bestShape = 1.6;        // width of a cell, of its height
constexpr double betweenCells = 8;       // pixels
constexpr std::size_t fewPoints = 12;
constexpr std::size_t denseFrom = 300;

bool isLogAxis(const QCPAxis& axis) { return axis.scaleType() == QCPAxis::stLogarithmic; }

/// Where there is a value.
void drawDot(QCPPainter& painter, const QPointF& at, double radius) {
  if (std::isfinite(at.x()) && std::isfinite(at.y())) painter.drawEllipse(at, radius, radius);
}

}  // namespace

SmallMultiples::SmallMultiples(QCustomPlot& plot) : QCPLayerable(&plot), m_plot(plot) { setVisible(false); }

void SmallMultiples::setCells(const CurveSet& curves, std::vector<Cell> cells, const PlotStyle& style) {
  m_curves = curves;
  m_cells = std::move(cells);
  m_style = style;
  m_font = scaledFont(style.text, cellFontScale);
}

double SmallMultiples::heading() const { return QFontMetricsF(m_font).height() + 2; }

/// Wide enough for the names of all categories.
double SmallMultiples::leastWidth() const {
  const QFontMetricsF metrics(m_font);
  double widest = 0;
  for (const std::string& name : m_curves.x_names) widest = std::max(widest, metrics.horizontalAdvance(text(name)));
  return std::max(leastCellWidth * metrics.height(),
                  (widest + betweenCells) * static_cast<double>(m_curves.x_names.size()));
}

/// The columns whose cells are largest, rather without empty places.
SmallMultiples::Grid SmallMultiples::gridIn(const QRectF& all) const {
  const QFontMetricsF metrics(m_font);
  const Ticks ticks = ticksOf(*m_plot.yAxis, all.height() / 3);
  double labels = 0;
  for (const QString& label : ticks.labels) labels = std::max(labels, metrics.horizontalAdvance(label));
  const double line = metrics.height();
  const QRectF place = all.adjusted(labels + line + 12, 4, -14, -(2 * line + 12));
  Grid best{.place = place};
  double most = 0;
  const auto count = static_cast<int>(m_cells.size());
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const QSizeF cell((place.width() - betweenCells * (columns - 1)) / columns,
                      (place.height() - betweenCells * (rows - 1)) / rows - heading());
    if (cell.width() < leastWidth() || cell.height() < leastCellHeight * line) continue;
    const double filled = static_cast<double>(count) / (columns * rows);
    const double size = std::min(cell.width() / bestShape, cell.height()) * filled * filled;
    if (size <= most) continue;
    most = size;
    best.columns = columns;
    best.rows = rows;
    best.cell = cell;
  }
  return best;
}

SmallMultiples::Grid SmallMultiples::grid() const { return gridIn(QRectF(m_plot.axisRect()->outerRect())); }

/// Before a layout, with the height of a figure's title left out.
bool SmallMultiples::fit() const {
  return m_cells.size() >= least && gridIn(QRectF(m_plot.viewport()).adjusted(0, 2 * heading(), 0, 0)).columns > 0;
}

QRectF SmallMultiples::cellRect(const Grid& grid, std::size_t number) const {
  const auto row = static_cast<int>(number) / grid.columns, column = static_cast<int>(number) % grid.columns;
  return {QPointF(grid.place.left() + column * (grid.cell.width() + betweenCells),
                  grid.place.top() + row * (grid.cell.height() + heading() + betweenCells) + heading()),
          grid.cell};
}

std::optional<std::size_t> SmallMultiples::curveAt(const QPointF& position) const {
  const Grid all = visible() ? grid() : Grid();
  for (std::size_t i = 0; all.columns > 0 && i < m_cells.size(); ++i)
    if (cellRect(all, i).adjusted(0, -heading(), 0, 0).contains(position)) return m_cells[i].curve;
  return std::nullopt;
}

std::optional<double> SmallMultiples::xAt(const QPointF& position) const {
  const Grid all = visible() ? grid() : Grid();
  for (std::size_t i = 0; all.columns > 0 && i < m_cells.size(); ++i) {
    const QRectF rect = cellRect(all, i);
    if (!rect.adjusted(0, -heading(), 0, 0).contains(position)) continue;
    const double fraction = (position.x() - rect.left()) / rect.width();
    const QCPRange range = m_plot.xAxis->range();
    return isLogAxis(*m_plot.xAxis) ? range.lower * std::pow(range.upper / range.lower, fraction)
                                    : range.lower + fraction * range.size();
  }
  return std::nullopt;
}

bool SmallMultiples::setSample(const std::optional<std::size_t>& sample) {
  return std::exchange(m_sample, sample) != sample;
}

SmallMultiples::Ticks SmallMultiples::ticksOf(QCPAxis& axis, double pixels) const {
  Ticks ticks;
  axis.ticker()->setTickCount(tickCountFor(axis, static_cast<int>(pixels)));
  axis.ticker()->generate(axis.range(), m_plot.locale(), QLatin1Char('g'), axis.numberPrecision(), ticks.at, nullptr,
                          &ticks.labels);
  for (qsizetype i = ticks.at.size(); i-- > 0;)
    if (!axis.range().contains(ticks.at[i])) ticks.at.remove(i), ticks.labels.remove(i);
  return ticks;
}

/// From the left or the lower end.
double SmallMultiples::placeOf(const QCPAxis& axis, double value, double pixels) const {
  const QCPRange range = axis.range();
  if (!isLogAxis(axis)) return pixels * (value - range.lower) / range.size();
  return value > 0 ? pixels * std::log(value / range.lower) / std::log(range.upper / range.lower) : no_value;
}

QPointF SmallMultiples::pointOf(std::size_t curve, std::size_t sample, const QSizeF& cell) const {
  const auto& y = m_curves.curves[curve].y;
  if (sample >= y.size()) return {no_value, no_value};
  return {placeOf(*m_plot.xAxis, m_curves.x[sample], cell.width()),
          cell.height() - placeOf(*m_plot.yAxis, y[sample], cell.height())};
}

/// Of samples in one column of pixels, the first, the lowest, the highest and the last are enough.
SmallMultiples::Lines SmallMultiples::linesOf(std::size_t curve, const QSizeF& cell) const {
  Lines lines(1);
  QPolygonF column;
  const auto flush = [&] {
    if (column.size() > 4) {
      const auto [low, high] = std::ranges::minmax_element(column, {}, [](const QPointF& point) { return point.y(); });
      column = {column.front(), std::min(low, high)[0], std::max(low, high)[0], column.back()};
    }
    lines.back() += column;
    column.clear();
  };
  for (std::size_t i = 0; i < m_curves.x.size(); ++i) {
    const QPointF point = pointOf(curve, i, cell);
    if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
      flush();
      if (!lines.back().isEmpty()) lines.emplace_back();
      continue;
    }
    if (!column.isEmpty() && std::floor(column.back().x()) != std::floor(point.x())) flush();
    const QPolygonF& before = column.isEmpty() ? lines.back() : column;
    if (m_curves.steps && !before.isEmpty()) column.append({point.x(), before.back().y()});
    column.append(point);
  }
  flush();
  return lines;
}

QPolygonF SmallMultiples::bandOf(std::size_t curve, const QSizeF& cell) const {
  const auto band = std::ranges::find(m_curves.bands, curve, &CurveBand::of);
  QPolygonF polygon;
  if (band == m_curves.bands.end()) return polygon;
  const auto add = [&](std::size_t edge, std::size_t i) {
    const QPointF point = pointOf(edge, i, cell);
    if (std::isfinite(point.x()) && std::isfinite(point.y())) polygon.append(point);
  };
  for (std::size_t i = 0; i < m_curves.x.size(); ++i) add(band->least, i);
  for (std::size_t i = m_curves.x.size(); i-- > 0;) add(band->greatest, i);
  return polygon;
}

void SmallMultiples::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(!m_style.fast || m_curves.x.size() * m_cells.size() < 4000);
}

void SmallMultiples::draw(QCPPainter* painter) {
  const Grid all = grid();
  if (all.columns == 0) return;
  std::vector<Lines> lines(m_curves.curves.size());
  if (m_curves.x_names.empty())
    for (const Cell& cell : m_cells) lines[cell.curve] = linesOf(cell.curve, all.cell);
  const bool isPixels = !painter->modes().testFlag(QCPPainter::pmVectorized);
  const QImage others = isPixels ? greyLines(*painter, all.cell, lines) : QImage();
  for (std::size_t i = 0; i < m_cells.size(); ++i) drawCell(*painter, m_cells[i], cellRect(all, i), lines, others);
  drawAxes(*painter, all);
}

QColor SmallMultiples::grey() const { return mixed(m_style.colours.secondary, m_style.colours.panel, 0.65); }

QImage SmallMultiples::greyLines(const QCPPainter& painter, const QSizeF& cell, const std::vector<Lines>& lines) const {
  const double scale = painter.deviceTransform().m11();
  QImage image((cell * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter onto(&image);
  onto.setRenderHint(QPainter::Antialiasing, painter.antialiasing());
  onto.scale(image.width() / cell.width(), image.height() / cell.height());
  onto.setPen(QPen(grey(), 1));
  for (const Lines& curve : lines)
    for (const QPolygonF& line : curve) onto.drawPolyline(line);
  return image;
}

void SmallMultiples::drawCell(QCPPainter& painter, const Cell& cell, const QRectF& rect,
                              const std::vector<Lines>& lines, const QImage& others) const {
  const Palette& colours = m_style.colours;
  const auto pieces = [&](std::size_t curve, const QPen& pen) {
    painter.setPen(pen);
    for (const QPolygonF& line : lines[curve]) painter.drawPolyline(line);
  };
  painter.save();
  painter.translate(rect.topLeft());
  painter.setClipRect(QRectF(QPointF(), rect.size()));
  drawGuides(painter, rect.size());
  if (!others.isNull())
    painter.drawImage(QRectF(QPointF(), rect.size()), others);
  else
    for (const Cell& other : m_cells)
      if (other.curve != cell.curve && other.curve != m_lit) pieces(other.curve, QPen(grey(), 1));
  if (m_lit && *m_lit != cell.curve && *m_lit < lines.size()) pieces(*m_lit, QPen(colours.secondary, 1.4));
  QColor fill = cell.colour;
  fill.setAlphaF(0.2F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(bandOf(cell.curve, rect.size()));
  const bool dense = m_curves.x.size() > denseFrom;
  pieces(cell.curve, QPen(cell.colour, dense ? 1 : 1.8));
  painter.setBrush(cell.colour);
  if (!m_curves.x_names.empty())
    drawBars(painter, cell, rect.size());
  else if (m_curves.x.size() <= fewPoints)
    for (std::size_t i = 0; i < m_curves.x.size(); ++i) drawDot(painter, pointOf(cell.curve, i, rect.size()), 2);
  if (m_sample && *m_sample < m_curves.x.size()) {
    const double x = placeOf(*m_plot.xAxis, m_curves.x[*m_sample], rect.width());
    painter.setPen(QPen(colours.secondary, 1));
    if (std::isfinite(x)) painter.drawLine(QPointF(x, 0), QPointF(x, rect.height()));
    painter.setPen(QPen(cell.colour, 1));
    drawDot(painter, pointOf(cell.curve, *m_sample, rect.size()), 3);
  }
  painter.setBrush(Qt::NoBrush);
  painter.restore();
  painter.setPen(QPen(m_lit == cell.curve ? colours.secondary : colours.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect);
  drawTitle(painter, cell, rect);
}

/// Of categories, which have nothing between them, with their values. A value of 0 has a thin bar, so
/// that it is no gap.
void SmallMultiples::drawBars(QCPPainter& painter, const Cell& cell, const QSizeF& size) const {
  constexpr double ofPlace = 0.6, thin = 2;
  const double most = std::max(std::abs(m_plot.yAxis->range().lower), std::abs(m_plot.yAxis->range().upper));
  const double unit = std::pow(10, std::floor(std::log10(most)) - 2);  // what is less is 0 beside the other bars
  const double place = size.width() / static_cast<double>(m_curves.x_names.size()), line = heading();
  const double foot = size.height() - std::max(0.0, placeOf(*m_plot.yAxis, 0, size.height()));
  painter.setFont(m_font);
  for (std::size_t i = 0; i < m_curves.x.size(); ++i) {
    const QPointF top = pointOf(cell.curve, i, size);
    if (!std::isfinite(top.x()) || !std::isfinite(top.y())) continue;
    const double height = std::max(thin, foot - top.y());
    painter.fillRect(QRectF(top.x() - ofPlace * place / 2, foot - height, ofPlace * place, height), cell.colour);
    const bool above = foot - height > line;
    painter.setPen(above ? m_style.colours.text : m_style.colours.panel);
    painter.drawText(QRectF(top.x() - place / 2, above ? foot - height - line : foot - height, place, line),
                     Qt::AlignCenter, text(to_text(unit * std::round(m_curves.curves[cell.curve].y[i] / unit), 2)));
  }
  painter.setPen(Qt::NoPen);
}

/// Marks and levels, whose names have no room.
void SmallMultiples::drawGuides(QCPPainter& painter, const QSizeF& size) const {
  painter.setPen(QPen(mixed(m_style.colours.secondary, m_style.colours.panel, 0.4), 1, Qt::DashLine));
  for (const CurveMark& mark : m_curves.marks) {
    const double x = placeOf(*m_plot.xAxis, mark.x, size.width());
    if (std::isfinite(x)) painter.drawLine(QPointF(x, 0), QPointF(x, size.height()));
  }
  for (const CurveLevel& level : m_curves.levels) {
    const double y = size.height() - placeOf(*m_plot.yAxis, level.y, size.height());
    if (std::isfinite(y)) painter.drawLine(QPointF(0, y), QPointF(size.width(), y));
  }
}

/// The name and, at the right, the value that is read.
void SmallMultiples::drawTitle(QCPPainter& painter, const Cell& cell, const QRectF& rect) const {
  const QRectF line(rect.left(), rect.top() - heading(), rect.width(), heading() - 1);
  const QFontMetricsF metrics(m_font);
  const auto& y = m_curves.curves[cell.curve].y;
  QString value;
  if (m_sample && *m_sample < y.size() && std::isfinite(y[*m_sample])) value = text(to_text(y[*m_sample], 4));
  painter.setFont(m_font);
  painter.setPen(m_style.colours.secondary);
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, value);
  const double room = line.width() - (value.isEmpty() ? 0 : metrics.horizontalAdvance(value) + betweenCells);
  painter.setPen(m_style.colours.text);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(cell.title, Qt::ElideMiddle, room));
}

/// Numbers stand at the first column and below the last cell of each column.
void SmallMultiples::drawAxes(QCPPainter& painter, const Grid& grid) const {
  const QFontMetricsF metrics(m_font);
  const double line = metrics.height();
  painter.setFont(m_font);
  painter.setPen(m_style.colours.secondary);
  const Ticks x = ticksOf(*m_plot.xAxis, grid.cell.width()), y = ticksOf(*m_plot.yAxis, grid.cell.height());
  for (std::size_t number = 0; number < m_cells.size(); ++number) {
    const QRectF rect = cellRect(grid, number);
    double free = -1e9;
    for (qsizetype i = 0; number + static_cast<std::size_t>(grid.columns) >= m_cells.size() && i < x.at.size(); ++i) {
      const double width = metrics.horizontalAdvance(x.labels[i]);
      const double left = rect.left() + placeOf(*m_plot.xAxis, x.at[i], rect.width()) - width / 2;
      if (left < free || x.labels[i].isEmpty()) continue;
      painter.drawText(QRectF(left - 2, rect.bottom() + 2, width + 4, line), Qt::AlignCenter, x.labels[i]);
      free = left + width + betweenCells;
    }
    free = 1e9;
    for (qsizetype i = 0; number % static_cast<std::size_t>(grid.columns) == 0 && i < y.at.size(); ++i) {
      const double middle = rect.bottom() - placeOf(*m_plot.yAxis, y.at[i], rect.height());
      if (middle + line / 2 > free) continue;
      painter.drawText(QRectF(0, middle - line / 2, rect.left() - 4, line), Qt::AlignRight | Qt::AlignVCenter,
                       y.labels[i]);
      free = middle - line / 2;
    }
  }
  const QRectF all = grid.place;
  const auto title = [&](const std::string& words, double room) {
    return metrics.elidedText(text(words), Qt::ElideRight, room);
  };
  painter.drawText(QRectF(all.left(), all.bottom() + line + 6, all.width(), line), Qt::AlignCenter,
                   title(m_curves.x_title, all.width()));
  painter.save();
  painter.translate(m_plot.axisRect()->outerRect().left() + 2, all.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, all.height(), line), Qt::AlignCenter, title(m_curves.y_title, all.height()));
  painter.restore();
}

}  // namespace vqscope
