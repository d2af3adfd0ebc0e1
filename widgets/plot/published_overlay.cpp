// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/published_overlay.h"

#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"

#include <array>
#include <cmath>

namespace vqscope {

void PublishedOverlay::show(const std::optional<Published>& published) {
  m_graphs.clear();
  QCPAxis& axis = *m_plot.yAxis2;
  axis.setVisible(published.has_value());
  if (!published) return;
  axis.setScaleType(QCPAxis::stLogarithmic);
  axis.setTicker(QSharedPointer<LogTicker>::create());
  axis.setNumberFormat(QStringLiteral("g"));
  axis.setLabel(text(published->y_title));
  QCPRange all;
  for (const auto& series : published->series) {
    QCPGraph* graph = m_plot.addGraph(m_plot.xAxis, &axis);
    graph->setName(text(series.name));
    graph->setData(QVector<double>(series.x.begin(), series.x.end()), QVector<double>(series.y.begin(), series.y.end()),
                   true);
    bool found = false;
    const QCPRange range = graph->getValueRange(found, QCP::sdPositive);
    if (found) all = m_graphs.isEmpty() ? range : all.expanded(range);
    m_graphs.append(graph);
  }
  const double room = std::pow(all.upper / all.lower, 0.1);
  axis.setRange(all.lower / room, all.upper * room);
}

void PublishedOverlay::restyle(const PlotStyle& style) {
  constexpr std::array shapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare, QCPScatterStyle::ssDiamond,
                              QCPScatterStyle::ssTriangle};
  constexpr double size = 7;
  const auto computed = m_plot.graphCount() - static_cast<int>(m_graphs.size());
  for (qsizetype i = 0; i < m_graphs.size(); ++i) {
    const QColor colour = curveStyle(computed + static_cast<int>(i), style.colours).colour;
    const auto shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
    m_graphs[i]->setPen(QPen(colour, 1, Qt::DotLine));
    m_graphs[i]->setScatterStyle(QCPScatterStyle(shape, QPen(colour, 1.4), QBrush(style.colours.panel), size));
  }
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
