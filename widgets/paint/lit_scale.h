// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/paint/summary_painter.h"

#include <vector>

namespace vqscope {

/// A part of a colour scale that has a place in its legend: the visible cells of a mask, one of its
/// terms, or labels.
struct ScalePart {
  enum class Kind { visible, term, labels };
  Kind kind = Kind::visible;
  int first = 0;  ///< index of the term, or of the first label
  int last = 0;   ///< of the last label
  friend bool operator==(const ScalePart&, const ScalePart&) = default;
};

/// The parts that can be named: visible cells and each term, or the named groups of labels; none of
/// other scales.
std::vector<ScalePart> partsOf(const ColourScale& scale);
/// Whether each label has a name of its own, as empty, partial and full blocks do.
bool namesEachLabel(const ColourScale& scale);
/// "causal", "visible", "past, far".
std::string nameOf(const ColourScale& scale, const ScalePart& part);
/// Whether the scale has the part.
bool hasPart(const ColourScale& scale, const ScalePart& part);

/// The scale with every other part faded towards `background`.
ColourScale litScale(ColourScale scale, const ScalePart& part, QRgb background);

}  // namespace vqscope
