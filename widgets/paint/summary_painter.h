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

/// Maps values to colours. colourScale() makes it for window, legend and exporter alike.
struct ColourScale {
  ValueScale kind = ValueScale::sequential;
  double low = 0;
  double high = 1;
  bool fitted = false;                ///< low and high follow the picture, because differences may be tiny
  bool difference = false;            ///< a difference of numbers, whose mean hides them
  bool signedTurn = false;            ///< cyclic: angles of (-π, π], differences
  bool clipsLow = false;              ///< the picture has values below low, painted like low
  bool clipsHigh = false;             ///< the picture has values above high, painted like high
  const ColourMap* map = nullptr;     ///< of a continuous or cyclic scale
  std::vector<QRgb> categories;       ///< of a categorical scale: by value
  std::vector<CategoryGroup> groups;  ///< names of ranges of categories
  std::vector<std::string> reasons;   ///< of a mask: names of its terms
  std::vector<QRgb> reasonColours;    ///< their colours, in the same order
  QRgb visible = 0;
  QRgb masked = 0;   ///< masked cells with unknown reason
  QRgb neutral = 0;  ///< colour of pixels over whole turns of a phase
  QRgb notANumber = 0;
  QRgb minusInfinity = 0;

  QRgb colourOf(double value) const;
  /// The colour of a single cell.
  QRgb cellColour(double value) const;
};

/// `mapId` empty: the map that fits the method. `dark` chooses the muted colours of masks.
ColourScale colourScale(const Method& method, const Field& field, const ParameterValues& values,
                        const std::string& mapId, bool dark);

/// The same for the difference of two fields of the method: diverging around 0, with the range of the picture's values.
/// A difference of angles is an angle of at most half a turn, so its colours are cyclic.
ColourScale differenceScale(const Method& method, bool dark);

/// Resolves the automatic choice for this scale; other choices stay.
Aggregate aggregateFor(const ColourScale& scale, Aggregate chosen);

/// A fitted scale for the range of these values, rounded up to 1, 2 or 5 times a power of ten.
ColourScale fittedScale(ColourScale scale, const Summary& summary, Aggregate aggregate);

/// The scale with clipsLow and clipsHigh set for this picture.
ColourScale clippedScale(ColourScale scale, const Summary& summary, Aggregate aggregate);

/// The extreme furthest from 0 of each pixel, for Aggregate::largest. On a tie, the larger one.
void takeLargest(Summary& summary);

/// One pixel for each entry of the axes; pixels outside the matrix stay transparent. A tile with a single visible cell
/// is never painted as masked, one with a single masked cell never as visible.
QImage paintSummary(const Summary& summary, const PixelAxis& rows, const PixelAxis& cols, Aggregate aggregate,
                    const ColourScale& scale);

}  // namespace vqscope
