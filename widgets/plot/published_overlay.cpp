// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/published_overlay.h"

#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/plot/legend/curve_legend_item.h"

#include <array>
#include <cmath>

namespace vqscope {

void PublishedOverlay::show(const std::optional<Published>& published, const std::string& ownTitle) {
  m_graphs.clear();
  m_sharesAxis = published && published->y_title == ownTitle;
  m_plot.yAxis2->setVisible(published && !m_sharesAxis);
  if (!published) return;
  QCPAxis& axis = m_sharesAxis ? *m_plot.yAxis : *m_plot.yAxis2;
  if (!m_sharesAxis) {
    axis.setScaleType(QCPAxis::stLogarithmic);
    axis.setTicker(QSharedPointer<LogTicker>::create());
    axis.setNumberFormat(QStringLiteral("g"));
    axis.setLabel(text(published->y_title));
  }
  QCPRange all;
  for (const auto& series : published->series) {
    QCPGraph* graph = m_plot.addGraph(m_plot.xAxis, &axis);
    graph->setName(text(series.name));
    CurveLegendItem::add(*m_plot.legend, *graph);
    graph->setData(QVector<double>(series.x.begin(), series.x.end()), QVector<double>(series.y.begin(), series.y.end()),
                   true);
    bool found = false;
    const QCPRange range = graph->getValueRange(found, QCP::sdPositive);
    if (found) all = m_graphs.isEmpty() ? range : all.expanded(range);
    m_graphs.append(graph);
  }
  if (m_sharesAxis) return;
  const double room = std::pow(all.upper / all.lower, 0.1);
  axis.setRange(all.lower / room, all.upper * room);
}

void PublishedOverlay::restyle(const PlotStyle& style, int lines) {
  constexpr std::array shapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare, QCPScatterStyle::ssDiamond,
                              QCPScatterStyle::ssTriangle};
  constexpr double size = 7;
  for (qsizetype i = 0; i < m_graphs.size(); ++i) {
    const QColor colour = curveStyle(lines + static_cast<int>(i), style.colours).colour;
    const auto shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
    m_graphs[i]->setPen(QPen(colour, 1, Qt::DotLine));
    m_graphs[i]->setScatterStyle(QCPScatterStyle(shape, QPen(colour, 1.4), QBrush(style.colours.panel), size));
  }
}

QCPRange PublishedOverlay::widenedY(QCPRange range, bool logarithmic) const {
  if (!m_sharesAxis) return range;
  for (const QCPGraph* graph : m_graphs) {
    bool found = false;
    const QCPRange own = graph->getValueRange(found, logarithmic ? QCP::sdPositive : QCP::sdBoth);
    if (found) range.expand(own);
  }
  return range;
}

QCPRange PublishedOverlay::widened(QCPRange range) const {
  for (const QCPGraph* graph : m_graphs) {
    bool found = false;
    const QCPRange own = graph->getKeyRange(found);
    if (found) range.expand(own);
  }
  return range;
}

}  // namespace vqscope
