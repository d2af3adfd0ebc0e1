// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"
#include "core/session/session.h"

#include <QImage>

#include <string>
#include <vector>

namespace vqscope {

class ColourMap;

/// How values become colours. Made by colourScale(), so that the window, the legend and the exporter agree.
struct ColourScale {
  ValueScale kind = ValueScale::sequential;
  double low = 0;
  double high = 1;
  bool fitted = false;                ///< low and high follow the picture: differences may be tiny
  bool difference = false;            ///< of numbers: their mean hides them
  bool signedTurn = false;            ///< cyclic: angles of (-π, π], differences
  bool clipsLow = false;              ///< the picture has values below low, painted as it
  bool clipsHigh = false;             ///< and above high
  const ColourMap* map = nullptr;     ///< of a continuous or cyclic scale
  std::vector<QRgb> categories;       ///< of a categorical scale: by value
  std::vector<CategoryGroup> groups;  ///< what stretches of them are called
  std::vector<std::string> reasons;   ///< of a mask: names of its terms
  std::vector<QRgb> reasonColours;    ///< their colours, in the same order
  QRgb visible = 0;
  QRgb masked = 0;   ///< where the reason is not known
  QRgb neutral = 0;  ///< what a wrapped phase fades into
  QRgb notANumber = 0;
  QRgb minusInfinity = 0;

  QRgb colourOf(double value) const;
  /// As a cell of its own is painted.
  QRgb cellColour(double value) const;
};

/// `mapId` empty: the map that fits the method. `dark` chooses the muted colours of masks.
ColourScale colourScale(const Method& method, const Field& field, const ParameterValues& values,
                        const std::string& mapId, bool dark);

/// The same for the difference of two fields of the method: diverging around 0, as far as the picture's values reach.
/// A difference of angles is one again, of half a turn at most: its colours go round.
ColourScale differenceScale(const Method& method, bool dark);

/// What automatic stands for on this scale; any other choice as it is.
Aggregate aggregateFor(const ColourScale& scale, Aggregate chosen);

/// A fitted scale with the reach of these values, rounded up to 1, 2 or 5 times a power of ten.
ColourScale fittedScale(ColourScale scale, const Summary& summary, Aggregate aggregate);

/// The scale with clipsLow and clipsHigh as the values of this picture say.
ColourScale clippedScale(ColourScale scale, const Summary& summary, Aggregate aggregate);

/// The extremes that are the furthest from 0, as the plane of means: what Aggregate::largest paints. Where both are as
/// far, the larger.
void takeLargest(Summary& summary);

/// One pixel for each entry of the axes; pixels outside the matrix stay transparent. A tile with a single visible cell
/// is never painted as masked, one with a single masked cell never as visible.
QImage paintSummary(const Summary& summary, const PixelAxis& rows, const PixelAxis& cols, Aggregate aggregate,
                    const ColourScale& scale);

}  // namespace vqscope
