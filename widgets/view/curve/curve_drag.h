// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/view/plot_drag.h"

namespace vqscope {

/// Box and ruler over curves.
class CurveDrag : public PlotDrag {
 public:
  explicit CurveDrag(QCustomPlot& plot);

  /// After the plot was cleared, for these curves.
  void renew(const CurveSet& curves);

 protected:
  QPointF snapped(const QPointF& point) const override;
  QString words(const QPointF& from, const QPointF& to) const override;
  void zoomInto(const QPointF& upperLeft, const QPointF& lowerRight) override;

 private:
  bool m_wholeX = true;
  bool m_bytes = false;
};

/// "Δx 3 072 (× 4)": how far one number is from another; the factor on a logarithmic axis.
QString distanceWords(const QString& axis, double from, double to, bool isLog, bool isBytes);

}  // namespace vqscope
