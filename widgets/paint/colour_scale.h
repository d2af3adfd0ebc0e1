// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"
#include "core/session/session.h"

#include <QRgb>

#include <memory>
#include <optional>
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
  bool typical = false;               ///< low and high are the range of many cells, widened by those of the picture
  bool difference = false;            ///< differences or errors, whose mean hides them
  bool logarithmic = false;           ///< colours follow the logarithm of the size; low is above 0
  bool centred = false;               ///< the map's middle is 0, and its sides have equal steps
  bool signedTurn = false;            ///< cyclic: angles of (-π, π], differences
  bool dark = false;                  ///< for the dark theme: zero and everything muted are dark
  bool clipsLow = false;              ///< the picture has values below low, painted like low
  bool clipsHigh = false;             ///< the picture has values above high, painted like high
  double lowest = 0;                  ///< the smallest value of the picture, if it clips
  double highest = 0;                 ///< the largest value of the picture, if it clips
  bool merged = false;                ///< these are means over the cells of a pixel, which depend on its size
  bool hasZero = false;               ///< logarithmic: the picture has zeros
  bool mixes = false;                 ///< categorical: the picture has pixels over several labels
  bool mostFrequent = false;          ///< of those pixels, some show the most frequent label of a sample
  const ColourMap* map = nullptr;     ///< of a continuous or cyclic scale
  bool chosenMap = false;             ///< the user chose the map
  std::vector<QRgb> categories;       ///< of a categorical scale: by value
  std::vector<CategoryGroup> groups;  ///< names of ranges of categories
  std::vector<std::string> reasons;   ///< of a mask: names of its terms; of A − B: `both`
  std::vector<QRgb> reasonColours;    ///< their colours, in the same order
  /// The cells that pictures show in colour; null: all of the field.
  std::shared_ptr<const Field> used;
  std::optional<Index> decoderPast;  ///< keys before the first query, if keys after a query are muted
  QRgb visible = 0;
  QRgb masked = 0;   ///< masked cells with unknown reason
  QRgb neutral = 0;  ///< colour of pixels over whole turns of a phase
  QRgb zero = 0;     ///< of a logarithmic scale
  QRgb unused = 0;   ///< keys that a causal decoder never uses
  QRgb notANumber = 0;
  QRgb minusInfinity = 0;

  bool isLabels() const { return kind == ValueScale::categorical; }
  /// Of two masks: cells that only A, only B, both or neither shows. The reason is `both`.
  bool isMaskDifference() const { return difference && !reasons.empty(); }
  QRgb colourOf(double value) const;
  /// The colour of a single cell.
  QRgb cellColour(double value) const;
  /// The place of a value on the ramp of the legend, from 0 to 1, and the colour there.
  double placeOf(double value) const;
  QRgb rampColour(double place) const;
  /// The value at a place of the ramp.
  double valueAt(double place) const;
};

/// `mapId` empty: the map that fits the method and its range. `dark`: for the dark theme.
ColourScale colourScale(const Method& method, const std::shared_ptr<const Field>& field, const ParameterValues& values,
                        const std::string& mapId, bool dark);

/// The same for the difference of two fields of the method: diverging around 0, with the range of
/// the picture's values. A difference of angles is an angle of at most half a turn, so its colours
/// are cyclic.
ColourScale differenceScale(const Method& method, bool dark);
/// With the cells that both sides mute.
ColourScale differenceScale(const Method& method, const ParameterValues& a, const ParameterValues& b,
                            const std::shared_ptr<const Field>& difference, bool dark);

/// Resolves the automatic choice for this scale, and choices that it does not have; labels keep
/// `automatic`: a mixture of their colours.
Aggregate aggregateFor(const ColourScale& scale, Aggregate chosen);

/// The plane of a summary that an aggregate shows.
const std::vector<float>& planeOf(const Summary& summary, Aggregate aggregate);

/// The scale for this range: diverging around 0 if both signs matter, else all colours for the
/// range.
ColourScale rangedScale(ColourScale scale, double low, double high);

/// The scale for this picture: a fitted range is rounded up to 1, 2 or 5 times a power of ten, a
/// logarithmic one to powers of ten, and a typical one is widened. Then what it clips.
ColourScale fittedScale(ColourScale scale, const Summary& summary, Aggregate aggregate);
ColourScale clippedScale(ColourScale scale, const Summary& summary, Aggregate aggregate);

}  // namespace vqscope
