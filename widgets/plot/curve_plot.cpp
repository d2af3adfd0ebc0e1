// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_plot.h"

#include "widgets/plot/index_ticker.h"
#include "widgets/plot/plot_style.h"
#include "widgets/theme/fonts.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

void setScale(QCPAxis& axis, bool logarithmic) {
  axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (logarithmic)
    axis.setTicker(QSharedPointer<LogTicker>::create());
  else
    axis.setTicker(QSharedPointer<NumberTicker>::create());
  axis.setNumberFormat(QStringLiteral("g"));
}

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// Room around the curves, so that a line on the border is not half hidden.
QCPRange padded(QCPRange range, bool logarithmic) {
  if (logarithmic) {
    const double factor = std::pow(range.upper / range.lower, 0.04);
    return factor > 1 ? QCPRange(range.lower / factor, range.upper * factor)
                      : QCPRange(range.lower / 2, range.upper * 2);
  }
  const double room = range.size() > 0 ? range.size() * 0.05 : 0.5;
  return {range.lower - room, range.upper + room};
}

}  // namespace

CurvePlot::CurvePlot(QCustomPlot& plot) : m_plot(plot), m_colours(&palette(Theme::light)) {
  plot.axisRect()->setMinimumMargins(QMargins(8, 10, 14, 4));
  plot.legend->setVisible(false);
  plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
}

void CurvePlot::setColours(const Palette& colours) {
  m_colours = &colours;
  stylePlot(m_plot, colours);
  restyle();
}

void CurvePlot::setCurves(const CurveSet& curves, bool keepRange) {
  const bool sameAxes = m_curves.log_x == curves.log_x && m_curves.log_y == curves.log_y;
  m_curves = curves;
  setScale(*m_plot.xAxis, curves.log_x);
  setScale(*m_plot.yAxis, curves.log_y);
  m_plot.xAxis->setLabel(text(curves.x_title));
  m_plot.yAxis->setLabel(text(curves.y_title));
  m_plot.clearGraphs();
  m_plot.clearItems();
  const QVector<double> x(curves.x.begin(), curves.x.end());
  for (const Curve& curve : curves.curves) {
    QCPGraph* graph = m_plot.addGraph();
    graph->setName(text(curve.name));
    graph->setData(x, QVector<double>(curve.y.begin(), curve.y.end()), true);
    graph->setLineStyle(curves.steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
  }
  m_plot.legend->setVisible(curves.curves.size() > 1);
  addMarks();
  restyle();
  if (!keepRange || !sameAxes) fit();
}

void CurvePlot::fit() {
  if (m_curves.x.empty()) return;
  m_plot.xAxis->setRange(padded({m_curves.x.front(), m_curves.x.back()}, m_curves.log_x));
  bool found = false;
  QCPRange values;
  for (int i = 0; i < m_plot.graphCount(); ++i) {
    bool here = false;
    const auto domain = m_curves.log_y ? QCP::sdPositive : QCP::sdBoth;
    const QCPRange range = m_plot.graph(i)->getValueRange(here, domain);
    if (!here) continue;
    values = found ? values.expanded(range) : range;
    found = true;
  }
  if (found) m_plot.yAxis->setRange(padded(values, m_curves.log_y));
}

void CurvePlot::addMarks() {
  for (const CurveMark& mark : m_curves.marks) {
    auto* line = new QCPItemStraightLine(&m_plot);
    line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->point1->setCoords(mark.x, 0);
    line->point2->setCoords(mark.x, 1);
    auto* label = new QCPItemText(&m_plot);
    label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    label->position->setCoords(mark.x, 0);
    label->setPositionAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setPadding(QMargins(4, 2, 4, 0));
    label->setText(text(mark.label));
  }
}

void CurvePlot::restyle() {
  for (int i = 0; i < m_plot.graphCount(); ++i) {
    const CurveStyle style = curveStyle(i, *m_colours);
    m_plot.graph(i)->setPen(QPen(style.colour, 1.6, style.dash));
  }
  for (int i = 0; i < m_plot.itemCount(); ++i) {
    if (auto* line = qobject_cast<QCPItemStraightLine*>(m_plot.item(i)))
      line->setPen(QPen(m_colours->secondary, 1, Qt::DashLine));
    if (auto* label = qobject_cast<QCPItemText*>(m_plot.item(i))) {
      label->setColor(m_colours->secondary);
      label->setFont(scaledFont(uiFont(), 0.82));
    }
  }
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
