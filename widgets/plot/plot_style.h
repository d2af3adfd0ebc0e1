// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/figure/figure_spec.h"
#include "widgets/theme/palette.h"

#include <QFont>

class QCustomPlot;

namespace vqscope {

/// Colours and fonts of a plot.
struct PlotStyle {
  Palette colours;
  QFont text;
  QFont numbers;
  bool fast = false;  ///< paints thousands of samples without antialiasing, in a tenth of the time
};

/// The style of the surrounding widgets.
PlotStyle screenStyle();

/// The style of figures, with the font and the theme of the specification, so that figures do not
/// depend on the desktop's settings. The size is that of a figure whose scale is 1.
PlotStyle figureStyle(const FigureSpec& spec = {});

void stylePlot(QCustomPlot& plot, const PlotStyle& style);

/// Colour and dash of the i-th curve. The first mostCurveColours have distinguishable colours, and
/// neighbours have different dashes, so that colour is not the only difference.
struct CurveStyle {
  QColor colour;
  Qt::PenStyle dash;
};
inline constexpr int mostCurveColours = 36;
CurveStyle curveStyle(int index, const Palette& colours);

}  // namespace vqscope
