// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/palette.h"

class QCustomPlot;

namespace vqscope {

/// Colours and fonts of a plot, from the palette that widgets use too. Figures take the light one whatever the theme.
void stylePlot(QCustomPlot& plot, const Palette& colours);

/// Colour and dash of the i-th curve: no two of the first eight share both, so colour is never alone.
struct CurveStyle {
  QColor colour;
  Qt::PenStyle dash;
};
CurveStyle curveStyle(int index, const Palette& colours);

}  // namespace vqscope
