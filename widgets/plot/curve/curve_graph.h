// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace vqscope {

/// A curve whose line in the legend is thick and opaque, however thin and pale thousands of samples
/// are painted.
class CurveGraph : public QCPGraph {
  Q_OBJECT
 public:
  CurveGraph(QCPAxis* keys, QCPAxis* values) : QCPGraph(keys, values) {}

 protected:
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;
  /// Dots of dashed lines have solid edges.
  void drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& scatters,
                       const QCPScatterStyle& style) const override;
};

/// The title, or as much of it as fits: without what stands in parentheses, after a comma or after
/// "of"; else cut at its end.
QString shortTitle(const QString& title, const QFontMetrics& metrics, int width);

/// Ticks with names in the place of numbers; their places are given.
QSharedPointer<QCPAxisTicker> namedTicks(const std::vector<std::pair<double, std::string>>& names);

}  // namespace vqscope
