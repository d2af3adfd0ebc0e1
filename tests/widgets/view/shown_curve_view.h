// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/view/view_cases.h"
#include "widgets/view/curve_view.h"

#include <QAction>

#include <optional>
#include <vector>

namespace vqscope::test {

/// Curves on screen, and what is read of them.
struct ShownCurveView {
  CurveView view;
  QCustomPlot* plot = view.findChild<QCustomPlot*>();
  std::vector<std::optional<CellReport>> readouts;

  ShownCurveView() {
    QObject::connect(&view, &CurveView::readoutChanged, &view,
                     [this](const auto& report) { readouts.push_back(report); });
    view.resize(500, 400);
    view.show();
  }
  void show(const CurveSet& set) {
    view.setCurves("Title", "subtitle", set);
    plot->replot(QCustomPlot::rpImmediateRefresh);
  }
  QPoint at(double x) const { return {qRound(plot->xAxis->coordToPixel(x)), plot->axisRect()->rect().center().y()}; }
  /// A point of the name at the end of a curve.
  QPoint nameAt(const QString& name) const {
    plot->replot(QCustomPlot::rpImmediateRefresh);
    for (int i = 0; i < plot->itemCount(); ++i)
      if (const auto* label = qobject_cast<QCPItemText*>(plot->item(i)); label && label->text() == name)
        return (label->position->pixelPosition() + QPointF(6, 0)).toPoint();
    return {-1, -1};
  }
  QAction* action(const QString& text) const {
    for (QAction* each : view.actions())
      if (each->text() == text) return each;
    return nullptr;
  }
  /// y = 2 x.
  static CurveSet line() {
    CurveSet set{.x_name = "r", .x_title = "distance", .y_title = "score", .formula = "y = 2 r"};
    Curve curve{"double", {}};
    for (int x = 1; x <= 100; ++x) {
      set.x.push_back(x);
      curve.y.push_back(2 * x);
    }
    set.curves = {curve};
    return set;
  }
};

}  // namespace vqscope::test
