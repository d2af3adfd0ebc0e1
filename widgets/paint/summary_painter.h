// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/paint/colour_scale.h"

#include <QImage>

#include <vector>

namespace vqscope {

/// The extreme furthest from 0 of each pixel, for Aggregate::largest. On a tie, the larger one.
void takeLargest(Summary& summary);

/// One pixel for each entry of the axes; pixels outside the matrix stay transparent. A tile with a single visible cell
/// is never painted as masked, one with a single masked cell never as visible. `own`: by tile, a colour of its own; 0
/// or empty: that of its value.
QImage paintSummary(const Summary& summary, const PixelAxis& rows, const PixelAxis& cols, Aggregate aggregate,
                    const ColourScale& scale, const std::vector<QRgb>& own = {});

}  // namespace vqscope
