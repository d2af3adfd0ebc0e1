// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"
#include "widgets/plot/published_overlay.h"

#include <qcustomplot.h>

#include <QList>
#include <QObject>

namespace vqscope {

/// Arranges a QCustomPlot to show a CurveSet: legend for several curves, log axes, labelled marks, levels and spans.
/// The window's view and the exporter's figure both use it.
class CurvePlot : public QObject {
  Q_OBJECT
 public:
  /// The plot owns this object.
  explicit CurvePlot(QCustomPlot& plot);

  void setStyle(const PlotStyle& style);
  /// Fits the axes to the curves unless `keepRange`.
  void setCurves(const CurveSet& curves, bool keepRange = false);
  const CurveSet& curves() const { return m_curves; }

  /// Sets other axes than those of the set. A log axis shows values above 0 only.
  void setLogAxes(bool x, bool y);
  bool logX() const { return m_logX; }
  bool logY() const { return m_logY; }
  void fit();

 private:
  /// Graphs of the set's own curves; published ones come after them.
  int lines() const;
  int lineOf(std::size_t curve) const;
  int ownGraphs() const { return static_cast<int>(m_curves.curves.size()); }
  void measure();
  void boundZoom();
  void fitTitles();
  void setScales();
  void addGraphs();
  void nameCoincident();
  void addAnnotations();
  void addLine(double at, bool vertical);
  void addLabel(double x, const std::string& label, Qt::Alignment alignment);
  void arrangeLabels();
  void placeLegend();
  void restyle();

  QCustomPlot& m_plot;
  PlotStyle m_style;
  CurveSet m_curves;
  PublishedOverlay m_published;
  QCPRange m_wholeX;  ///< range of the x axis that shows everything
  QCPRange m_wholeY;
  bool m_logX = false;
  bool m_logY = false;
  QList<QCPItemText*> m_labels;  ///< along the top
};

/// Index of the sample of `curves` nearest to `x` on its axis; curves must have samples.
std::size_t nearestSample(const CurveSet& curves, double x);

}  // namespace vqscope
