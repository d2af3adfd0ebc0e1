// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/paint/colour_scale.h"

#include <QImage>

#include <stop_token>
#include <vector>

namespace vqscope {

/// The extreme furthest from 0 of each pixel, for Aggregate::largest. On a tie, the larger one.
void takeLargest(Summary& summary);

/// One pixel for each entry of the axes; pixels outside the matrix stay transparent. A tile with a
/// single visible cell is never painted as masked, one with a single masked cell never as visible.
/// `own`: by tile, a colour of its own; 0 or empty: that of its value.
QImage paintSummary(const Summary& summary, const PixelAxis& rows, const PixelAxis& cols, Aggregate aggregate,
                    const ColourScale& scale, const std::vector<QRgb>& own = {});

/// The colours of a picture's tiles over several labels.
struct LabelMix {
  std::vector<QRgb> colours;  ///< by tile; 0: the tile has one label. Empty: every tile has
  bool mixes = false;         ///< some tiles have several labels
  bool exact = true;          ///< false: some show the most frequent label of a sample
};

/// The mean of the labels' colours, weighted by their cells.
QRgb mixedColour(const LabelCounts& counts, const ColourScale& scale);

/// `summary` has the extremes of the tiles: where they differ, cells are counted. `maxCells`: cells
/// looked at in a field that cannot count them.
LabelMix mixLabels(const Field& field, const TileGrid& grid, const Summary& summary, const ColourScale& scale,
                   Index maxCells, int threads, const std::stop_token& stop);

}  // namespace vqscope
