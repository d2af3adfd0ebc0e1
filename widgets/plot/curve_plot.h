// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"
#include "widgets/plot/published_overlay.h"

#include <qcustomplot.h>

#include <QList>
#include <QObject>

#include <map>
#include <optional>
#include <set>

namespace vqscope {

/// Arranges a QCustomPlot to show a CurveSet: legend for several curves, log axes, labelled marks,
/// levels and spans. The window's view and the exporter's figure both use it.
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

  /// The curve whose entry of the legend is at this place.
  std::optional<std::size_t> curveInLegend(const QPointF& position) const;
  /// Curves are hidden, and have chosen colours, by name: other values keep them.
  bool isHidden(std::size_t curve) const;
  void setHidden(std::size_t curve, bool hidden);
  void showOnly(std::size_t curve);
  void showAll();
  /// No colour: that of its place in the list.
  void setColour(std::size_t curve, const std::optional<QColor>& colour);
  /// Curves with an entry in the legend, in their order.
  std::vector<std::size_t> entries() const;

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
  /// Cuts the names of levels that are longer than the axis, and hides them in a plot that is
  /// hardly wider than a word.
  void fitLevelLabels();
  void placeLegend();
  void restyle();
  std::size_t ownerOf(std::size_t curve) const;
  /// Hides curves and their entries, after they have their style.
  void styleHidden();
  void afterHiding();

  QCustomPlot& m_plot;
  PlotStyle m_style;
  CurveSet m_curves;
  PublishedOverlay m_published;
  QCPRange m_wholeX;  ///< range of the x axis that shows everything
  QCPRange m_wholeY;
  bool m_logX = false;
  bool m_logY = false;
  QList<QCPItemText*> m_labels;       ///< along the top
  QList<QCPItemText*> m_levelLabels;  ///< in the order of the levels
  std::set<std::string> m_hidden;
  std::map<std::string, QColor> m_chosenColours;
};

/// Index of the sample of `curves` nearest to `x` on its axis; curves must have samples.
std::size_t nearestSample(const CurveSet& curves, double x);

}  // namespace vqscope
