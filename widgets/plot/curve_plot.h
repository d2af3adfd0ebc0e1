// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/curve/curve_annotations.h"
#include "widgets/plot/curve/end_labels.h"
#include "widgets/plot/curve/small_multiples.h"
#include "widgets/plot/plot_style.h"
#include "widgets/plot/published_overlay.h"

#include <qcustomplot.h>

#include <QList>
#include <QObject>

#include <map>
#include <optional>
#include <set>

namespace vqscope {

/// Arranges a QCustomPlot to show a CurveSet: names at the ends of up to eight curves, or a legend above;
/// log axes, labelled marks, levels and spans. More curves than eight are small multiples or, in a small plot, grey
/// beyond the eighth that is shown.
/// Curves that swing too often to be told apart are pale behind their means. The window's view and the
/// exporter's figure both use it.
class CurvePlot : public QObject {
  Q_OBJECT
 public:
  /// The plot owns this object.
  explicit CurvePlot(QCustomPlot& plot);

  void setStyle(const PlotStyle& style);
  /// Fits the axes to the curves unless `keepRange`.
  void setCurves(const CurveSet& curves, bool keepRange = false);
  const CurveSet& curves() const { return m_curves; }
  /// Other titles than those of the set.
  void setTitles(const std::string& x, const std::string& y);
  /// Whether curves have names at all.
  void setNamed(bool named);

  /// Sets other axes than those of the set. A log axis shows values above 0 only.
  void setLogAxes(bool x, bool y);
  bool logX() const { return m_logX; }
  bool logY() const { return m_logY; }
  void fit();

  /// Whether many curves are small multiples, where there is room for them.
  void setMultiples(bool wanted);
  bool wantsMultiples() const { return m_wantsMultiples; }
  /// Whether there are so many curves that they can be small multiples.
  bool isMany() const;
  /// Whether they are, since the last layout.
  bool hasMultiples() const { return m_multiples->visible(); }
  /// The x at this place of the axes or of a small plot.
  std::optional<double> xAt(const QPointF& position) const;
  /// The sample that small multiples show; whether it is another one.
  bool setSample(const std::optional<std::size_t>& sample) { return m_multiples->setSample(sample); }

  /// The curve whose name, at its end or in the legend, is at this place.
  std::optional<std::size_t> curveInLegend(const QPointF& position) const;
  /// The curve whose line passes here.
  std::optional<std::size_t> curveAt(const QPointF& position) const;
  /// The whole title of the axis, or the whole name in the legend, at this place if it is cut; else empty.
  QString cutTextAt(const QPointF& position) const;
  /// Fades all curves but this one; nothing: none. The next curves are not faded.
  void setLit(const std::optional<std::size_t>& curve);
  const std::optional<std::size_t>& lit() const { return m_lit; }
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
  void addMeans();
  void placeNames();
  bool areJoined() const;
  void placeMultiples();
  void fillMultiples();
  void styleNames();
  /// What stands for the curve: its mean, if it has one.
  QCPGraph* mainGraph(std::size_t curve) const;
  /// Colour and dash of a curve: grey beyond the eighth of those that are shown.
  CurveStyle styleOf(std::size_t curve) const;
  void nameCoincident();
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
  CurveAnnotations m_annotations;
  EndLabels m_ends;
  SmallMultiples* m_multiples;  ///< the plot's
  bool m_wantsMultiples = true;
  QList<QCPGraph*> m_means;  ///< of each curve; empty: curves can be told apart as they are
  bool m_named = true;
  bool m_needsNames = false;  ///< there are several curves
  std::optional<std::size_t> m_lit;
  QCPRange m_wholeX;  ///< range of the x axis that shows everything
  QCPRange m_wholeY;
  bool m_logX = false;
  bool m_logY = false;
  std::set<std::string> m_hidden;
  std::map<std::string, QColor> m_chosenColours;
};

/// Index of the sample of `curves` nearest to `x` on its axis; curves must have samples.
std::size_t nearestSample(const CurveSet& curves, double x);

}  // namespace vqscope
