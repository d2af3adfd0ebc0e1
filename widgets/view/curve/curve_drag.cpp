// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/curve_drag.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"

#include <qcustomplot.h>

#include <cmath>

namespace vqscope {
namespace {

constexpr int digits = 4;

bool isLogarithmic(const QCPAxis& axis) { return axis.scaleType() == QCPAxis::stLogarithmic; }

QString numberOf(double value, bool isBytes) {
  const QString size = isBytes ? text(byte_count(std::abs(value)))
                               : plotNumber(QString::number(std::abs(value), 'g', digits + 2).toDouble());
  return value < 0 ? QStringLiteral("−") + size : size;
}

}  // namespace

QString distanceWords(const QString& axis, double from, double to, bool isLog, bool isBytes) {
  QString words = QStringLiteral("Δ%1 %2").arg(axis, numberOf(to - from, isBytes));
  if (isLog && from > 0 && to > 0) words += QStringLiteral(" (× %1)").arg(text(to_text(to / from, digits)));
  return words;
}

CurveDrag::CurveDrag(QCustomPlot& plot) : PlotDrag(plot, *plot.xAxis, *plot.yAxis) {}

void CurveDrag::renew(const CurveSet& curves) {
  m_wholeX = !curves.real_x;
  m_bytes = curves.is_bytes();
  makeItems();
}

QPointF CurveDrag::snapped(const QPointF& point) const {
  return {m_wholeX ? std::round(point.x()) : point.x(), point.y()};
}

QString CurveDrag::words(const QPointF& from, const QPointF& to) const {
  return distanceWords(QStringLiteral("x"), from.x(), to.x(), isLogarithmic(m_x), false) + QLatin1Char('\n') +
         distanceWords(QStringLiteral("y"), from.y(), to.y(), isLogarithmic(m_y), m_bytes);
}

void CurveDrag::zoomInto(const QPointF& upperLeft, const QPointF& lowerRight) {
  m_x.setRange(upperLeft.x(), lowerRight.x());
  m_y.setRange(lowerRight.y(), upperLeft.y());
}

}  // namespace vqscope
