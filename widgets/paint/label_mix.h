// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/paint/colour_scale.h"

#include <stop_token>
#include <vector>

namespace vqscope {

/// The colours of a picture's tiles over several labels.
struct LabelMix {
  std::vector<QRgb> colours;  ///< by tile; 0: the tile has one label. Empty: every tile has
  bool mixes = false;         ///< some tiles have several labels
  bool exact = true;          ///< false: some show the most frequent label of a sample
};

/// The mean of the labels' colours, weighted by their cells.
QRgb mixedColour(const LabelCounts& counts, const ColourScale& scale);

/// `summary` has the extremes of the tiles: where they differ, cells are counted. `maxCells`: cells looked at in a
/// field that cannot count them.
LabelMix mixLabels(const Field& field, const TileGrid& grid, const Summary& summary, const ColourScale& scale,
                   Index maxCells, int threads, const std::stop_token& stop);

}  // namespace vqscope
