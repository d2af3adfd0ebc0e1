// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/curve_graph.h"

#include "widgets/parts/text.h"

namespace vqscope {

void CurveGraph::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
  QPen line = pen();
  QColor colour = line.color();
  colour.setAlphaF(1);
  line.setColor(colour);
  line.setWidthF(2.5);
  line.setCapStyle(Qt::FlatCap);
  painter->save();
  painter->setAntialiasing(true);
  painter->setPen(line);
  const double middle = rect.center().y();
  if (lineStyle() != lsNone) painter->drawLine(QLineF(rect.left(), middle, rect.right(), middle));
  if (!scatterStyle().isNone()) {
    scatterStyle().applyTo(painter, line);
    scatterStyle().drawShape(painter, rect.center());
  }
  painter->restore();
}

void CurveGraph::drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& scatters,
                                 const QCPScatterStyle& style) const {
  QCPScatterStyle solid = style;
  solid.setPen(QPen(pen().color(), pen().widthF()));
  QCPGraph::drawScatterPlot(painter, scatters, solid);
}

QString shortTitle(const QString& title, const QFontMetrics& metrics, int width) {
  for (const char* end : {"", " (", ", ", " of "}) {
    const auto at = *end == '\0' ? title.size() : title.indexOf(QLatin1String(end));
    if (at > 0 && metrics.horizontalAdvance(title.left(at)) <= width) return title.left(at);
  }
  return metrics.elidedText(title, Qt::ElideRight, width);
}

QSharedPointer<QCPAxisTicker> namedTicks(const std::vector<std::pair<double, std::string>>& names) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const auto& [at, name] : names) ticker->addTick(at, text(name));
  return ticker;
}

}  // namespace vqscope
