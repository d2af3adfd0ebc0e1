// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_plot.h"

#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/plot/axis/value_tickers.h"
#include "widgets/plot/curve/curve_graph.h"
#include "widgets/plot/curve/curve_means.h"
#include "widgets/plot/legend/curve_legend_item.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

void setScale(QCPAxis& axis, bool logarithmic, bool integer) {
  axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (logarithmic)
    axis.setTicker(QSharedPointer<LogTicker>::create());
  else if (integer)
    axis.setTicker(QSharedPointer<IndexTicker>::create());
  else
    axis.setTicker(QSharedPointer<NumberTicker>::create());
  axis.setNumberFormat(QStringLiteral("g"));
}

constexpr int rightMargin = 14;
constexpr std::size_t mostPoints = 24;  // that have ticks of their own
constexpr double mostZoom = 2000;
constexpr std::size_t fewSamples = 12;
constexpr std::size_t mostWide = 1500;
constexpr int underscore = 3;  // pixels below a name, which is clipped to its legend item

/// Margin around the curves, so that a line at the border is not half hidden.
QCPRange padded(QCPRange range, bool logarithmic) {
  if (logarithmic) {
    const double factor = std::pow(range.upper / range.lower, 0.04);
    return factor > 1 ? QCPRange(range.lower / factor, range.upper * factor)
                      : QCPRange(range.lower / 2, range.upper * 2);
  }
  const double room = range.size() > 0 ? range.size() * 0.05 : 0.5;
  return {range.lower - room, range.upper + room};
}

/// Minimum range of a logarithmic axis: on less than a decade, rounding errors look like effects.
QCPRange atLeastADecade(QCPRange range) {
  if (range.upper >= 10 * range.lower) return range;
  const double middle = std::sqrt(range.lower * range.upper);
  return {middle / std::sqrt(10), middle * std::sqrt(10)};
}

/// A strip above the curves for the labels.
QCPRange withHeadroom(QCPRange range, bool logarithmic) {
  constexpr double fraction = 0.1;
  if (logarithmic) return {range.lower, range.upper * std::pow(range.upper / range.lower, fraction)};
  return {range.lower, range.upper + range.size() * fraction};
}

/// The x at which a curve has no value.
std::vector<double> gapsOf(const std::vector<double>& x, const Curve& curve) {
  std::vector<double> gaps;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(curve.y[i])) gaps.push_back(x[i]);
  return gaps;
}

QCPRange boundsOfX(const CurveSet& curves, bool logarithmic) {
  double low = curves.x.front();
  if (logarithmic)
    if (const auto above = std::ranges::find_if(curves.x, [](double x) { return x > 0; }); above != curves.x.end())
      low = *above;
  return {low, curves.x.back()};
}

}  // namespace

CurvePlot::CurvePlot(QCustomPlot& plot)
    : QObject(&plot),
      m_plot(plot),
      m_published(plot),
      m_annotations(plot),
      m_ends(plot),
      m_multiples(new SmallMultiples(plot)) {
  plot.axisRect()->setMinimumMargins(QMargins(8, 10, rightMargin, 4));
  plot.axisRect()->setMinimumSize(20, 20);  // so that in a low plot the legend shrinks first
  plot.axisRect()->setVisible(false);       // until there are curves
  plot.legend->setVisible(false);
  plot.legend->setRowSpacing(-underscore);
  plot.legend->setColumnSpacing(14);
  plot.legend->setMargins(QMargins(0, 0, 0, 0));
  plot.legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
  plot.legend->setMaximumSize(QWIDGETSIZE_MAX, 0);  // until it is shown
  plot.axisRect()->insetLayout()->take(plot.legend);
  plot.plotLayout()->insertRow(0);
  plot.plotLayout()->addElement(0, 0, plot.legend);
  plot.plotLayout()->setRowSpacing(0);
  connect(&plot, &QCustomPlot::beforeReplot, this, [this] {
    boundZoom();
    placeMultiples();
    placeNames();
    placeLegend();
    m_plot.plotLayout()->update(QCPLayoutElement::upLayout);
    fitTitles();
    if (hasMultiples()) return;
    const QSize room = m_plot.axisRect()->size();
    m_plot.xAxis->ticker()->setTickCount(tickCountFor(*m_plot.xAxis, room.width()));
    for (QCPAxis* axis : {m_plot.yAxis, m_plot.yAxis2})
      axis->ticker()->setTickCount(tickCountFor(*axis, room.height()));
  });
  connect(&plot, &QCustomPlot::afterLayout, this, [this] {
    m_annotations.arrange();
    m_ends.place();
  });
}

void CurvePlot::setStyle(const PlotStyle& style) {
  m_style = style;
  stylePlot(m_plot, style);
  // The line sample is as high as the name, so that it is at its middle.
  m_plot.legend->setIconSize(m_plot.legend->iconSize().width(), QFontMetrics(m_plot.legend->font()).height());
  restyle();
}

void CurvePlot::setCurves(const CurveSet& curves, bool keepRange) {
  const bool sameAxes = m_curves.log_x == curves.log_x && m_curves.log_y == curves.log_y &&
                        m_curves.integer == curves.integer && m_curves.real_x == curves.real_x &&
                        m_curves.y_names == curves.y_names && m_curves.x_names == curves.x_names &&
                        m_curves.names_at_points == curves.names_at_points &&
                        m_curves.is_bytes() == curves.is_bytes() && !m_curves.x.empty();
  m_curves = curves;
  m_lit.reset();
  if (!sameAxes) {
    m_logX = curves.log_x;
    m_logY = curves.log_y;
  }
  setScales();
  m_plot.xAxis->setLabel(text(curves.x_title));  // in full until a layout limits their length
  m_plot.yAxis->setLabel(text(curves.y_title));
  m_plot.clearGraphs();
  m_plot.clearItems();
  m_ends.forget();
  m_annotations.forget();
  m_plot.axisRect()->setVisible(!curves.x.empty());  // no axes without curves
  m_annotations.add(m_curves);
  addGraphs();
  restyle();
  measure();
  if (!keepRange || !sameAxes) fit();
}

void CurvePlot::setLogAxes(bool x, bool y) {
  m_logX = x;
  m_logY = y;
  setScales();
  measure();
  fit();
}

void CurvePlot::setTitles(const std::string& x, const std::string& y) {
  m_curves.x_title = x;
  m_curves.y_title = y;
  fillMultiples();
}

void CurvePlot::setNamed(bool named) { m_named = named; }

void CurvePlot::setScales() {
  setScale(*m_plot.xAxis, m_logX, !m_curves.real_x);
  setScale(*m_plot.yAxis, m_logY, m_curves.integer);
  const bool hasPoints = m_logX && m_curves.x.size() > 1 && m_curves.x.size() <= mostPoints && m_curves.x.front() > 0;
  if (hasPoints && !m_curves.published && !m_curves.names_at_points)
    m_plot.xAxis->setTicker(QSharedPointer<PointTicker>::create(m_curves.x));
  if (m_curves.is_bytes()) m_plot.yAxis->setTicker(QSharedPointer<ByteTicker>::create(m_logY));
  if (m_curves.x_title.starts_with("bytes")) m_plot.xAxis->setTicker(QSharedPointer<ByteTicker>::create(m_logX));
  if (!m_curves.y_names.empty()) m_plot.yAxis->setTicker(namedTicks(m_curves.y_names));
  if (m_curves.x_names.empty()) return;
  std::vector<std::pair<double, std::string>> names;
  for (const std::string& name : m_curves.x_names) names.emplace_back(static_cast<double>(names.size()), name);
  m_plot.xAxis->setTicker(namedTicks(names));
}

void CurvePlot::addGraphs() {
  const QVector<double> x(m_curves.x.begin(), m_curves.x.end());
  for (const Curve& curve : m_curves.curves) {
    auto* graph = new CurveGraph(m_plot.xAxis, m_plot.yAxis);  // the plot owns it
    graph->setName(text(curve.name));
    CurveLegendItem::add(*m_plot.legend, *graph);
    graph->setData(x, QVector<double>(curve.y.begin(), curve.y.end()), true);
    if (m_curves.names_at_points)  // a gap at the x of other curves would part its points
      for (const double gap : gapsOf(m_curves.x, curve)) graph->data()->remove(gap);
    graph->setLineStyle(m_curves.labels ? QCPGraph::lsNone : m_curves.steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
  }
  nameCoincident();
  for (const CurveBand& band : m_curves.bands) {
    QCPGraph *least = m_plot.graph(static_cast<int>(band.least)),
             *greatest = m_plot.graph(static_cast<int>(band.greatest));
    greatest->setChannelFillGraph(least);
    least->removeFromLegend();
    greatest->removeFromLegend();
  }
  m_published.show(m_curves.published, m_curves.y_title);
  addMeans();
  m_needsNames = lines() > 1 || m_published.isShown();
  m_plot.legend->setVisible(m_needsNames && m_named);
}

void CurvePlot::addMeans() {
  m_means.clear();
  const std::size_t samples = lines() > 1 ? samplesOfMeans(m_curves) : 0;
  if (samples == 0) return;
  const QVector<double> x(m_curves.x.begin(), m_curves.x.end());
  for (const Curve& curve : m_curves.curves) {
    const auto means = movingMeans(curve.y, samples);
    auto* graph = new CurveGraph(m_plot.xAxis, m_plot.yAxis);  // the plot owns it
    graph->setData(x, QVector<double>(means.begin(), means.end()), true);
    graph->removeFromLegend();
    m_means.append(graph);
  }
  m_annotations.addNote(QCustomPlot::tr("lines: means over %1 values; pale: every value").arg(samples),
                        QCustomPlot::tr("means over %1").arg(samples));
}

/// Names at the ends of curves, or a legend where there is no room for them.
void CurvePlot::placeNames() {
  const bool besideEnds =
      m_named && m_needsNames && !hasMultiples() && !m_published.isShown() && !m_curves.labels && m_ends.fit();
  m_ends.setShown(besideEnds);
  m_plot.axisRect()->setMinimumMargins(
      QMargins(8, 10, besideEnds ? std::max(m_ends.margin(), rightMargin) : rightMargin, 4));
  m_plot.legend->setVisible(m_named && m_needsNames && !besideEnds && !hasMultiples());
}

QCPGraph* CurvePlot::mainGraph(std::size_t curve) const {
  return m_means.isEmpty() ? m_plot.graph(static_cast<int>(curve)) : m_means[static_cast<qsizetype>(curve)];
}

void CurvePlot::measure() {
  if (m_curves.x.empty()) return;
  m_wholeX = padded(m_published.widened(boundsOfX(m_curves, m_logX)), m_logX);
  if (!m_curves.x_names.empty()) m_wholeX = {-0.5, static_cast<double>(m_curves.x_names.size()) - 0.5};
  bool found = false;
  QCPRange values;
  for (int i = 0; i < ownGraphs(); ++i) {
    if (isHidden(ownerOf(static_cast<std::size_t>(i)))) continue;
    bool here = false;
    const QCPRange range = m_plot.graph(i)->getValueRange(here, m_logY ? QCP::sdPositive : QCP::sdBoth);
    if (!here) continue;
    values = found ? values.expanded(range) : range;
    found = true;
  }
  if (found) values = m_published.widenedY(values, m_logY);
  if (found && m_logY) values = atLeastADecade(values);
  m_wholeY = found ? padded(values, m_logY) : m_plot.yAxis->range();
  if (m_annotations.needHeadroom()) m_wholeY = withHeadroom(m_wholeY, m_logY);
}

void CurvePlot::fit() {
  m_plot.xAxis->setRange(m_wholeX);
  m_plot.yAxis->setRange(m_wholeY);
}

void CurvePlot::boundZoom() {
  if (m_curves.x.empty()) return;
  // Clip the line: far beyond the range, a dashed line would have millions of dashes.
  const auto bound = [](QCPAxis& axis, const QCPRange& all, bool logarithmic) {
    QCPRange range = axis.range();
    if (logarithmic) return axis.setRange(range.bounded(all.lower, all.upper));
    const double least = all.size() / mostZoom;
    if (range.size() < least) range = QCPRange(range.center() - least / 2, range.center() + least / 2);
    axis.setRange(range.bounded(all.lower, all.upper));
  };
  bound(*m_plot.xAxis, m_wholeX, m_logX);
  bound(*m_plot.yAxis, m_wholeY, m_logY);
}

int CurvePlot::lines() const { return ownGraphs() - 2 * static_cast<int>(m_curves.bands.size()); }

/// The place of a curve's line among all lines, which edges of bands are not; an edge has that of
/// its band's curve.
int CurvePlot::lineOf(std::size_t curve) const {
  for (const CurveBand& band : m_curves.bands)
    if (band.least == curve || band.greatest == curve) return lineOf(band.of);
  int line = 0;
  for (std::size_t i = 0; i < curve; ++i) line += !m_curves.is_edge(i);
  return line;
}

CurveStyle CurvePlot::styleOf(std::size_t curve) const {
  const std::size_t owner = ownerOf(curve);
  const auto chosen = m_chosenColours.find(m_curves.curves[owner].name);
  int line = lineOf(curve);
  const bool isMany = lines() > static_cast<int>(EndLabels::mostEntries) && areJoined();
  if (isMany) {
    line = 0;
    for (const std::size_t before : entries()) line += before < owner && !isHidden(before);
  }
  CurveStyle style = curveStyle(line, m_style.colours);
  if (isMany && line >= static_cast<int>(EndLabels::mostEntries))
    style = {mixed(m_style.colours.secondary, m_style.colours.panel, 0.45), Qt::SolidLine};
  if (chosen != m_chosenColours.end()) style.colour = chosen->second;
  return style;
}

void CurvePlot::restyle() {
  for (QCPAxis* axis : {m_plot.xAxis, m_plot.yAxis}) axis->grid()->setZeroLinePen(axis->grid()->pen());
  for (int i = 0; i < ownGraphs(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const int line = lineOf(index);
    const CurveStyle style = styleOf(index);
    QCPGraph* graph = m_plot.graph(i);
    // Dashes of hundreds of oscillating samples blur, so such curves differ in colour only.
    const bool dense = m_curves.x.size() > 300;
    QColor colour = style.colour;
    if (dense && lines() > 1) colour.setAlphaF(0.8F);  // curves below stay visible
    // Without antialiasing, a wider line of thousands of samples would take too long.
    const double width = !dense ? 1.6 : m_style.fast && m_curves.x.size() > mostWide ? 1 : 1.3;
    graph->setPen(QPen(colour, width, dense && line < 4 ? Qt::SolidLine : style.dash));
    // A line of one sample is invisible, and with few samples their places matter: show markers.
    const bool marked = m_curves.x.size() <= fewSamples || m_curves.labels || m_curves.names_at_points;
    graph->setScatterStyle(marked ? QCPScatterStyle(QCPScatterStyle::ssDisc, m_curves.labels ? 3 : 6)
                                  : QCPScatterStyle(QCPScatterStyle::ssNone));
    graph->setAntialiased(!dense || !m_style.fast);
    if (m_curves.is_edge(index)) {
      graph->setPen(Qt::NoPen);
      graph->setScatterStyle(QCPScatterStyle::ssNone);
    }
    graph->setAntialiasedFill(!m_style.fast);
    QColor fill = lines() > 1 ? style.colour : m_style.colours.accent;
    fill.setAlphaF(lines() > 1 ? 0.16F : 0.28F);
    graph->setBrush(graph->channelFillGraph() ? QBrush(fill) : QBrush(Qt::NoBrush));
  }
  for (int i = 0; i < m_plot.legend->itemCount(); ++i)
    if (auto* item = m_plot.legend->item(i)) item->setMargins(QMargins(0, 0, 0, underscore));
  styleHidden();
  m_published.restyle(m_style, lines());
  m_annotations.restyle(m_style);
  styleNames();
  fillMultiples();
}

std::size_t nearestSample(const CurveSet& curves, double x) {
  const auto& xs = curves.x;
  const auto after = std::lower_bound(xs.begin(), xs.end(), x);
  if (after == xs.begin()) return 0;
  if (after == xs.end()) return xs.size() - 1;
  const auto i = static_cast<std::size_t>(after - xs.begin());
  if (curves.steps) return xs[i] > x ? i - 1 : i;
  return xs[i] - x < x - xs[i - 1] ? i : i - 1;
}

}  // namespace vqscope
