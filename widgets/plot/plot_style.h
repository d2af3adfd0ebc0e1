// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/palette.h"

#include <QFont>

class QCustomPlot;

namespace vqscope {

/// Colours and fonts of a plot.
struct PlotStyle {
  Palette colours;
  QFont text;
  QFont numbers;
  bool fast = false;  ///< thousands of samples are drawn without antialiasing, at a tenth of the time
};

/// As the widgets around it.
PlotStyle screenStyle();

/// Of figures: light, and in a face and size of their own, so that no desktop's settings change a byte.
PlotStyle figureStyle();

void stylePlot(QCustomPlot& plot, const PlotStyle& style);

/// Colour and dash of the i-th curve: no two of the first eight share both, so colour is never alone.
struct CurveStyle {
  QColor colour;
  Qt::PenStyle dash;
};
CurveStyle curveStyle(int index, const Palette& colours);

}  // namespace vqscope
