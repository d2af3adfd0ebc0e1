// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curve/curve_set.h"
#include "widgets/theme/palette.h"

class QCustomPlot;

namespace vqscope {

/// Arranges a QCustomPlot to show a CurveSet: legend where there is more than one curve, log axes, labelled marks.
/// The window's view and the exporter's figure are both made of it.
class CurvePlot {
 public:
  explicit CurvePlot(QCustomPlot& plot);

  void setColours(const Palette& colours);
  /// Fits the axes to the curves unless `keepRange`.
  void setCurves(const CurveSet& curves, bool keepRange = false);
  void fit();
  const CurveSet& curves() const { return m_curves; }

 private:
  void addMarks();
  void restyle();

  QCustomPlot& m_plot;
  const Palette* m_colours;
  CurveSet m_curves;
};

/// Index of the sample of `curves` nearest to `x` on its axis; curves must have samples.
std::size_t nearestSample(const CurveSet& curves, double x);

}  // namespace vqscope
