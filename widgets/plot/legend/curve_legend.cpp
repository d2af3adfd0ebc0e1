// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that are hidden, shown alone or coloured by their entries in the legend.
#include "widgets/plot/curve_plot.h"

#include <qcustomplot.h>

namespace vqscope {
namespace {

constexpr float faded = 0.35F;

QColor withAlpha(QColor colour, float alpha) {
  colour.setAlphaF(alpha * colour.alphaF());
  return colour;
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

void CurvePlot::fitLevelLabels() {
  constexpr int padding = 8;
  const int room = m_plot.axisRect()->width() - padding;
  for (qsizetype i = 0; i < m_levelLabels.size(); ++i) {
    const QFontMetrics metrics(m_levelLabels[i]->font());
    const std::string& whole = m_curves.levels[static_cast<std::size_t>(i)].label;
    m_levelLabels[i]->setText(metrics.elidedText(QString::fromStdString(whole), Qt::ElideRight, room));
    m_levelLabels[i]->setVisible(room >= 6 * metrics.averageCharWidth());
  }
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

}  // namespace vqscope
