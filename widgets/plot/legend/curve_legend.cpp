// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that are hidden, lit, shown alone or coloured by their names.
#include "widgets/plot/curve_plot.h"

#include "widgets/theme/fonts.h"

#include <qcustomplot.h>

#include <cmath>

namespace vqscope {
namespace {

constexpr float faded = 0.35F;  // of a hidden curve
constexpr double meanWidth = 2;
constexpr float unlit = 0.14F;      // of a curve beside the one that is lit
constexpr float everyValue = 0.3F;  // of values behind their means
constexpr float litValues = 0.5F;   // of those of the lit curve
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
  if (!m_needsNames || names.size() > EndLabels::mostEntries) names.clear();
  m_ends.setEntries(std::move(names));
}

}  // namespace vqscope
