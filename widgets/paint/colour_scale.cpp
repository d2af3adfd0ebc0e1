// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/colour_scale.h"

#include "core/method/shown_part.h"
#include "widgets/paint/colour_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace vqscope {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// The smaller side's share of the larger one from which on signs matter more than sizes.
constexpr double signsMatter = 0.1;

const ColourMap* fittingMap(ValueScale kind, bool dark) {
  switch (kind) {
    case ValueScale::cyclic: return findColourMap("twilight");
    case ValueScale::diverging: return &divergingMap(dark);
    default: return findColourMap("viridis");
  }
}

ColourScale emptyScale(bool dark) {
  ColourScale scale;
  const MaskColours mask = maskColours(dark);
  scale.dark = dark;
  scale.visible = mask.visible;
  scale.masked = scale.zero = mask.masked;
  scale.neutral = qRgb(0x8a, 0x8d, 0x94);  // twilight is never this grey
  scale.unused = dark ? qRgb(0x22, 0x26, 0x2e) : qRgb(0xe4, 0xe7, 0xec);
  scale.notANumber = mask.notANumber;
  scale.minusInfinity = mask.minusInfinity;
  return scale;
}

void takeCategories(ColourScale& scale, Categories categories, bool dark) {
  scale.groups = std::move(categories.groups);
  if (categories.alarm)
    scale.categories = {dark ? qRgb(0x3a, 0x40, 0x4b) : qRgb(0xd3, 0xd8, 0xe0),
                        dark ? qRgb(0xf0, 0x61, 0x6d) : qRgb(0xc9, 0x34, 0x40)};
  else
    scale.categories =
        bucketColours(static_cast<int>(categories.second), static_cast<int>(categories.count - categories.second));
}

void takePart(ColourScale& scale, ShownPart part) {
  if (!part.decoder_past) return;
  scale.used = std::move(part.field);
  scale.decoderPast = part.decoder_past;
}

/// 1, 2 or 5 times a power of ten.
double roundedUp(double reach) {
  const double power = std::pow(10.0, std::floor(std::log10(reach)));
  for (const double step : {1.0, 2.0, 5.0})
    if (reach <= step * power) return step * power;
  return 10 * power;
}

template <class Take>
void forFinite(const std::vector<float>& plane, const Take& take) {
  for (const float value : plane)
    if (std::isfinite(value)) take(static_cast<double>(value));
}

/// Whole decades around the sizes of the picture.
ColourScale decadesOf(ColourScale scale, const std::vector<float>& plane) {
  constexpr double mostDecades = 12;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  forFinite(plane, [&](double value) {
    const double size = std::abs(value);
    scale.hasZero = scale.hasZero || size == 0;
    if (size > 0) least = std::min(least, size);
    most = std::max(most, size);
  });
  if (most <= 0) return scale;
  const double bound = scale.high;
  const double bottom = std::floor(std::log10(least) + 1e-6);
  const double top = std::max(std::ceil(std::log10(most) - 1e-6), bottom + 1);
  scale.high = std::pow(10, top);
  scale.low = std::pow(10, std::max(bottom, top - mostDecades));
  if (bound >= most && bound < scale.high && bound > scale.low) scale.high = bound;  // no error is above half a turn
  return scale;
}

}  // namespace

double ColourScale::placeOf(double value) const {
  if (logarithmic) return std::log(std::max(std::abs(value), low) / low) / std::log(high / low);
  return (value - low) / (high - low);
}

double ColourScale::valueAt(double place) const {
  return logarithmic ? low * std::pow(high / low, place) : low + (high - low) * place;
}

QRgb ColourScale::colourOf(double value) const {
  if (std::isnan(value)) return notANumber;
  if (value == -std::numeric_limits<double>::infinity()) return minusInfinity;
  if (!categories.empty()) {
    const auto last = static_cast<double>(categories.size() - 1);
    return categories[static_cast<std::size_t>(std::clamp(std::round(value), 0.0, last))];
  }
  if (signedTurn && value < 0) value += high;
  if (logarithmic && value == 0) return zero;
  return rampColour(placeOf(value));
}

QRgb ColourScale::rampColour(double place) const {
  if (centred) {
    const double reach = std::max(std::abs(low), std::abs(high));
    return map->at((valueAt(place) / reach + 1) / 2);
  }
  // Zero is light in the middle of twilight's ends; in the dark theme the dark middle takes its
  // place.
  if (signedTurn && dark) place = place < 0.5 ? place + 0.5 : place - 0.5;
  return map->at(place);
}

QRgb ColourScale::cellColour(double value) const {
  if (kind == ValueScale::visibility) return value > 0 ? visible : masked;
  return colourOf(value);
}

ColourScale rangedScale(ColourScale scale, double low, double high) {
  if (!(high > low)) high = low + 1;
  scale.low = low;
  scale.high = high;
  if (scale.kind != ValueScale::diverging && scale.kind != ValueScale::sequential) return scale;
  if (scale.difference && scale.kind == ValueScale::diverging && !scale.logarithmic) {
    scale.high = std::max(std::abs(low), std::abs(high));
    scale.low = -scale.high;
  }
  const double less = std::min(-scale.low, scale.high);
  const bool bothSigns =
      scale.kind == ValueScale::diverging && less > 0 && less >= signsMatter * std::max(-scale.low, scale.high);
  if (!scale.chosenMap)
    scale.map =
        fittingMap(bothSigns && !scale.logarithmic ? ValueScale::diverging : ValueScale::sequential, scale.dark);
  scale.centred = !scale.logarithmic && scale.map->id() == "diverging";
  return scale;
}

ColourScale colourScale(const Method& method, const std::shared_ptr<const Field>& field, const ParameterValues& values,
                        const std::string& mapId, bool dark) {
  const FieldRecipe& recipe = *method.field();
  ColourScale scale = emptyScale(dark);
  scale.kind = recipe.scale;
  scale.difference = recipe.difference;
  scale.logarithmic = recipe.logarithmic;
  takePart(scale, shown_part(method, values, field));
  const Field& shown = scale.used ? *scale.used : *field;
  auto [low, high] = shown.value_range();
  if (const auto typical = shown.typical_range(); typical && !scale.logarithmic && !scale.difference) {
    scale.typical = true;
    std::tie(low, high) = *typical;
  }
  const ColourMap* chosen = findColourMap(mapId);
  if (chosen && chosen->id() == "diverging") chosen = &divergingMap(dark);
  scale.chosenMap = chosen != nullptr;
  scale.map = chosen ? chosen : fittingMap(scale.kind, dark);
  if (scale.logarithmic) {
    high = std::max(std::abs(low), std::abs(high));
    if (!(high > 0)) high = 1;
    scale.fitted = true;
    low = high * 1e-6;
  }
  if (scale.kind == ValueScale::cyclic) high = turn;
  scale = rangedScale(std::move(scale), low, high);
  if (scale.isLabels() && !chosen) takeCategories(scale, recipe.categories(values), dark);
  if (scale.kind == ValueScale::visibility) {
    scale.reasons = field->reasons();
    for (std::size_t i = 0; i < scale.reasons.size(); ++i)
      scale.reasonColours.push_back(maskColours(dark).ofTerm(scale.reasons[i], i));
  }
  return scale;
}

ColourScale differenceScale(const Method& method, bool dark) {
  ColourScale scale = emptyScale(dark);
  if (method.field()->scale == ValueScale::cyclic) {
    scale.kind = ValueScale::cyclic;
    scale.high = turn;
    scale.signedTurn = true;
    scale.map = fittingMap(ValueScale::cyclic, dark);
    return scale;
  }
  scale.kind = ValueScale::diverging;
  scale.difference = true;
  if (method.field()->scale == ValueScale::visibility) {
    scale.reasons = {"both"};
    scale.reasonColours = {dark ? qRgb(0x56, 0x5f, 0x6e) : qRgb(0xb2, 0xba, 0xc6)};
    scale.zero = scale.unused;
  }
  scale.fitted = !scale.isMaskDifference();
  return rangedScale(std::move(scale), -1, 1);
}

ColourScale differenceScale(const Method& method, const ParameterValues& a, const ParameterValues& b,
                            const std::shared_ptr<const Field>& difference, bool dark) {
  ColourScale scale = differenceScale(method, dark);
  takePart(scale, shown_part(method, a, b, difference));
  return scale;
}

Aggregate aggregateFor(const ColourScale& scale, Aggregate chosen) {
  const bool ofLabels = chosen == Aggregate::mean || chosen == Aggregate::largest;
  if (scale.isLabels()) return ofLabels ? Aggregate::automatic : chosen;
  if (chosen != Aggregate::automatic) return chosen;
  return scale.difference ? Aggregate::largest : Aggregate::mean;
}

const std::vector<float>& planeOf(const Summary& summary, Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::min: return summary.min;
    case Aggregate::max: return summary.max;
    case Aggregate::automatic:
    case Aggregate::mean:
    case Aggregate::largest: break;
  }
  return summary.mean;
}

ColourScale fittedScale(ColourScale scale, const Summary& summary, Aggregate aggregate) {
  const auto& plane = planeOf(summary, aggregate);
  if (scale.logarithmic) return decadesOf(std::move(scale), plane);
  if (scale.typical) {
    double low = scale.low;
    double high = scale.high;
    forFinite(plane, [&](double value) { low = std::min(low, value), high = std::max(high, value); });
    return rangedScale(std::move(scale), low, high);
  }
  if (!scale.fitted) return scale;
  double reach = 0;
  forFinite(plane, [&](double value) { reach = std::max(reach, std::abs(value)); });
  if (reach <= 0) return scale;
  scale.high = roundedUp(reach);
  scale.low = -scale.high;
  return scale;
}

ColourScale clippedScale(ColourScale scale, const Summary& summary, Aggregate aggregate) {
  if (scale.kind != ValueScale::sequential && scale.kind != ValueScale::diverging) return scale;
  const double slack = scale.logarithmic ? 1e-6 * scale.low : 1e-6 * (scale.high - scale.low);  // planes are float32
  scale.lowest = scale.low;
  scale.highest = scale.high;
  for (const float plain : planeOf(summary, aggregate)) {
    const double value = scale.logarithmic ? std::abs(static_cast<double>(plain)) : static_cast<double>(plain);
    if (scale.logarithmic && value == 0) continue;
    scale.clipsLow = scale.clipsLow || (std::isfinite(value) && value < scale.low - slack);
    scale.clipsHigh = scale.clipsHigh || value > scale.high + slack;
    if (std::isfinite(value)) scale.lowest = std::min(scale.lowest, value);
    if (!std::isnan(value)) scale.highest = std::max(scale.highest, value);
  }
  return scale;
}

}  // namespace vqscope
