// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curve_plot.h"

#include <qcustomplot.h>

namespace vqscope::test {

inline CurveSet curvesOf(int count) {
  CurveSet set{.x_name = "r", .x_title = "relative distance r", .y_title = "score"};
  for (int x = 0; x <= 100; ++x) set.x.push_back(x);
  for (int i = 0; i < count; ++i) {
    Curve curve{"curve " + std::to_string(i), {}};
    for (const double x : set.x) curve.y.push_back((i + 1) * x - 20);
    set.curves.push_back(curve);
  }
  return set;
}

/// Curves in a plot.
struct ShownCurves {
  QCustomPlot plot;
  CurvePlot curves{plot};

  explicit ShownCurves(const CurveSet& set) {
    plot.setViewport(QRect(0, 0, 500, 400));
    curves.setStyle(figureStyle());
    curves.setCurves(set);
    plot.replot(QCustomPlot::rpImmediateRefresh);
  }
  bool isLog(const QCPAxis* axis) const { return axis->scaleType() == QCPAxis::stLogarithmic; }
};

}  // namespace vqscope::test
