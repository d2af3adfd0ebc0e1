// SPDX-License-Identifier: GPL-3.0-or-later
// Names of curves: their legend, the curves that are hidden, lit, shown alone or coloured by them, and
// the small multiples of many.
#include "widgets/plot/curve_plot.h"

#include "widgets/parts/text.h"
#include "widgets/plot/curve/curve_graph.h"
#include "widgets/plot/legend/curve_legend_item.h"
#include "widgets/theme/fonts.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr float faded = 0.35F;  // of a hidden curve
constexpr double meanWidth = 2;
constexpr float unlit = 0.14F;      // of a curve beside the one that is lit
constexpr float everyValue = 0.3F;  // of values behind their means
constexpr float litValues = 0.5F;   // of those of the lit curve
constexpr double mostLegend = 0.5;  // of the height of the plot
constexpr double reachOfLine = 8;   // pixels from a line that the mouse means

QColor withAlpha(QColor colour, float alpha) {
  colour.setAlphaF(alpha * colour.alphaF());
  return colour;
}

/// In pixels, of the line between the samples beside x.
double heightAt(const QCPGraph& graph, double x) {
  const auto data = graph.data();
  const double key = graph.keyAxis()->pixelToCoord(x);
  auto after = data->findBegin(key, false);
  if (after == data->constEnd()) return no_value;
  const auto pixel = [&](const QCPGraphData& sample) { return graph.valueAxis()->coordToPixel(sample.value); };
  if (after == data->constBegin()) return after->key == key ? pixel(*after) : no_value;
  const auto before = after - 1;
  if (graph.lineStyle() == QCPGraph::lsStepLeft) return pixel(*before);
  const double from = graph.keyAxis()->coordToPixel(before->key), to = graph.keyAxis()->coordToPixel(after->key);
  return pixel(*before) + (pixel(*after) - pixel(*before)) * (to > from ? (x - from) / (to - from) : 0);
}

}  // namespace

/// The curve that an edge of a band belongs to, else the curve itself.
std::size_t CurvePlot::ownerOf(std::size_t curve) const {
  for (const CurveBand& band : m_curves.bands)
    if (band.least == curve || band.greatest == curve) return band.of;
  return curve;
}

std::vector<std::size_t> CurvePlot::entries() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < m_curves.curves.size(); ++i)
    if (!m_curves.is_edge(i)) all.push_back(i);
  return all;
}

std::optional<std::size_t> CurvePlot::curveInLegend(const QPointF& position) const {
  if (const auto name = m_ends.at(position)) return entries()[*name];
  if (!m_plot.legend->visible()) return std::nullopt;
  for (const std::size_t curve : entries()) {
    const QCPAbstractLegendItem* item = m_plot.legend->itemWithPlottable(m_plot.graph(static_cast<int>(curve)));
    if (!item) continue;
    // A grid cell is as wide as its column; the entry ends with its name.
    QRectF place(item->outerRect());
    place.setWidth(std::min<double>(place.width(), item->minimumOuterSizeHint().width()));
    if (place.contains(position)) return curve;
  }
  return std::nullopt;
}

std::optional<std::size_t> CurvePlot::curveAt(const QPointF& position) const {
  if (hasMultiples()) return m_multiples->curveAt(position);
  if (m_curves.x.empty() || !m_plot.axisRect()->rect().contains(position.toPoint())) return std::nullopt;
  std::optional<std::size_t> nearest;
  double least = reachOfLine;
  for (const std::size_t curve : entries()) {
    const double apart =
        isHidden(curve) ? reachOfLine : std::abs(heightAt(*mainGraph(curve), position.x()) - position.y());
    if (apart >= least) continue;  // not a number neither
    least = apart;
    nearest = curve;
  }
  return nearest;
}

void CurvePlot::setLit(const std::optional<std::size_t>& curve) {
  if (curve == m_lit) return;
  m_lit = curve;
  restyle();
}

bool CurvePlot::isHidden(std::size_t curve) const { return m_hidden.contains(m_curves.curves[curve].name); }

void CurvePlot::setHidden(std::size_t curve, bool hidden) {
  if (hidden)
    m_hidden.insert(m_curves.curves[curve].name);
  else
    m_hidden.erase(m_curves.curves[curve].name);
  afterHiding();
}

void CurvePlot::showOnly(std::size_t curve) {
  for (const std::size_t each : entries()) m_hidden.insert(m_curves.curves[each].name);
  m_hidden.erase(m_curves.curves[curve].name);
  afterHiding();
}

void CurvePlot::showAll() {
  m_hidden.clear();
  afterHiding();
}

void CurvePlot::setColour(std::size_t curve, const std::optional<QColor>& colour) {
  if (colour)
    m_chosenColours[m_curves.curves[curve].name] = *colour;
  else
    m_chosenColours.erase(m_curves.curves[curve].name);
  restyle();
}

void CurvePlot::afterHiding() {
  restyle();
  measure();
}

void CurvePlot::styleHidden() {
  for (int i = 0; i < ownGraphs(); ++i) {
    QCPGraph* graph = m_plot.graph(i);
    const bool hidden = isHidden(ownerOf(static_cast<std::size_t>(i)));
    graph->setVisible(!hidden);
    if (auto* item = m_plot.legend->itemWithPlottable(graph)) {
      item->setTextColor(hidden ? withAlpha(m_style.colours.secondary, faded) : m_style.colours.text);
      if (hidden) {
        QPen pen = graph->pen();
        pen.setColor(withAlpha(pen.color(), faded));
        graph->setPen(pen);
      }
    }
  }
}

/// Names at the ends, means, and which curve is lit, after the curves have their style.
void CurvePlot::styleNames() {
  for (int i = 0; i < ownGraphs(); ++i) {
    const auto curve = static_cast<std::size_t>(i);
    QCPGraph* graph = m_plot.graph(i);
    QPen pen = graph->pen();
    const bool isUnlit = m_lit && ownerOf(curve) != *m_lit;
    if (!m_means.isEmpty()) {
      QCPGraph* mean = m_means[i];
      mean->setVisible(graph->visible());
      mean->setAntialiased(true);
      mean->setPen(QPen(withAlpha(styleOf(curve).colour, isUnlit ? unlit : 1), meanWidth));
      pen.setColor(withAlpha(pen.color(), m_lit == curve ? litValues : everyValue));
    }
    if (isUnlit) {
      pen.setColor(withAlpha(pen.color(), unlit));
      QBrush brush = graph->brush();
      brush.setColor(withAlpha(brush.color(), unlit));
      graph->setBrush(brush);
    }
    if (pen.style() != Qt::NoPen) graph->setPen(pen);
  }
  m_ends.setFont(scaledFont(m_style.text, 0.92));
  std::vector<EndLabels::Entry> names;
  for (const std::size_t curve : entries()) {
    const bool hidden = isHidden(curve);
    const float alpha = hidden ? faded : m_lit && m_lit != curve ? 2 * unlit : 1;
    const QColor colour = hidden ? m_style.colours.secondary : styleOf(curve).colour;
    names.push_back(
        {mainGraph(curve), m_plot.graph(static_cast<int>(curve))->name(), withAlpha(colour, alpha), hidden});
  }
  m_ends.setAtPoints(m_curves.names_at_points);
  if (!m_needsNames || names.size() > m_ends.most()) names.clear();
  m_ends.setEntries(std::move(names));
}

/// One of two equal curves covers the other, so its name mentions the equality.
void CurvePlot::nameCoincident() {
  const auto earlier = coincident_curves(m_curves);
  for (std::size_t i = 0; i < earlier.size(); ++i)
    if (earlier[i])
      m_plot.graph(static_cast<int>(i))
          ->setName(QCustomPlot::tr("%1 (same as %2)")
                        .arg(text(m_curves.curves[i].name), text(m_curves.curves[*earlier[i]].name)));
}

/// A title that is longer than its axis is shortened; it is centred on the axis.
void CurvePlot::fitTitles() {
  const QPoint middle = m_plot.axisRect()->rect().center();
  const QRect all = m_plot.viewport();
  const auto fit = [](QCPAxis& axis, const std::string& title, int half) {
    axis.setLabel(shortTitle(text(title), QFontMetrics(axis.labelFont()), 2 * half));
  };
  // Turned letters stand on fractions of pixels, so that a title is longer than the same in a row.
  constexpr int turned = 16;
  // A legend whose names need the whole width stands over the title of the vertical axis.
  const QCPLegend& legend = *m_plot.legend;
  const bool isUnder = legend.visible() && legend.margins().left() < QFontMetrics(m_plot.yAxis->labelFont()).height();
  const int top = isUnder ? legend.outerRect().bottom() : all.top();
  const int up = std::min(middle.y() - top, all.bottom() - middle.y()) * (turned - 1) / turned;
  fit(*m_plot.xAxis, m_curves.x_title, std::min(middle.x() - all.left(), all.right() - middle.x()));
  fit(*m_plot.yAxis, m_curves.y_title, up);
  if (m_curves.published) fit(*m_plot.yAxis2, m_curves.published->y_title, up);
}

QString CurvePlot::cutTextAt(const QPointF& position) const {
  for (int i = 0; m_plot.legend->visible() && i < m_plot.legend->itemCount(); ++i)
    if (auto* item = qobject_cast<CurveLegendItem*>(m_plot.legend->item(i)))
      if (item->rect().contains(position.toPoint())) return item->isCut() ? item->plottable()->name() : QString();
  const QRect rect = m_plot.axisRect()->rect();
  const QCPAxis* axis = position.x() < rect.left()     ? m_plot.yAxis
                        : position.y() > rect.bottom() ? m_plot.xAxis
                                                       : nullptr;
  if (!axis) return {};
  const QString whole = text(axis == m_plot.xAxis ? m_curves.x_title : m_curves.y_title);
  return axis->label() == whole ? QString() : whole;
}

/// A row of names above the plot, in as many lines as needed: it never covers a curve. Where it would
/// leave no room for curves there is none: the mouse tells their names.
void CurvePlot::placeLegend() {
  m_plot.legend->setMaximumSize(QWIDGETSIZE_MAX, m_plot.legend->visible() ? QWIDGETSIZE_MAX : 0);
  if (!m_plot.legend->visible()) return;
  int widest = 1;
  // itemCount() counts cells of the grid; the last ones may be empty.
  for (int i = 0; i < m_plot.legend->itemCount(); ++i)
    if (const auto* item = m_plot.legend->item(i)) widest = std::max(widest, item->minimumOuterSizeHint().width());
  const int room =
      m_plot.viewport().width() - m_plot.axisRect()->margins().left() - m_plot.axisRect()->margins().right();
  // Names that are longer than the axis begin before it.
  const int indent = std::clamp(m_plot.viewport().width() - widest, 0, m_plot.axisRect()->margins().left());
  m_plot.legend->setMargins(QMargins(indent, 0, 0, 0));
  const int columns = std::max(1, room / (widest + m_plot.legend->columnSpacing()));
  const auto rows = (static_cast<int>(entries().size()) + columns - 1) / columns;
  if (rows * QFontMetrics(m_plot.legend->font()).height() > mostLegend * m_plot.viewport().height()) {
    m_plot.legend->setVisible(false);
    m_plot.legend->setMaximumSize(QWIDGETSIZE_MAX, 0);
    return;
  }
  // The row of the legend gets only the height that it needs; its index differs, because a figure
  // has a title above.
  for (int row = 0; row < m_plot.plotLayout()->rowCount(); ++row)
    if (m_plot.plotLayout()->element(row, 0) == m_plot.legend) m_plot.plotLayout()->setRowStretchFactor(row, 0.001);
  if (columns == m_plot.legend->wrap()) return;
  m_plot.legend->setWrap(columns);
  m_plot.legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
}

void CurvePlot::setMultiples(bool wanted) { m_wantsMultiples = wanted; }

bool CurvePlot::isMany() const {
  const auto all = entries();
  const auto shown = std::ranges::count_if(all, [this](std::size_t curve) { return !isHidden(curve); });
  return static_cast<std::size_t>(shown) >= SmallMultiples::least && !m_published.isShown() && areJoined();
}

/// Points alone are no tangle, however many there are.
bool CurvePlot::areJoined() const {
  return !m_curves.labels && !m_curves.names_at_points && std::ranges::any_of(entries(), [this](std::size_t i) {
    return std::ranges::count_if(m_curves.curves[i].y, [](double y) { return std::isfinite(y); }) > 1;
  });
}

/// In the place of the axes.
void CurvePlot::placeMultiples() {
  m_multiples->setVisible(m_wantsMultiples && m_named && isMany() && m_multiples->fit());
  m_plot.axisRect()->setVisible(!hasMultiples() && !m_curves.x.empty());
  m_annotations.setShown(!hasMultiples());
}

void CurvePlot::fillMultiples() {
  // Each edit comes here: few curves are not copied.
  if (!isMany()) return m_multiples->setCells({}, {}, m_style);
  std::vector<SmallMultiples::Cell> cells;
  for (const std::size_t curve : entries()) {
    if (isHidden(curve)) continue;
    const auto chosen = m_chosenColours.find(m_curves.curves[curve].name);
    cells.push_back({curve, m_plot.graph(static_cast<int>(curve))->name(),
                     chosen == m_chosenColours.end() ? m_style.colours.accent : chosen->second});
  }
  m_multiples->setCells(m_curves, std::move(cells), m_style);
  m_multiples->setLit(m_lit);
}

std::optional<double> CurvePlot::xAt(const QPointF& position) const {
  if (hasMultiples()) return m_multiples->xAt(position);
  if (!m_plot.axisRect()->rect().contains(position.toPoint())) return std::nullopt;
  return m_plot.xAxis->pixelToCoord(position.x());
}

}  // namespace vqscope
