// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/summary_painter.h"

#include "widgets/paint/colour_map.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <tuple>

namespace vqscope {
namespace {

int mixed(int a, int b, double share) { return static_cast<int>(std::lround(a + (b - a) * share)); }

QRgb blend(QRgb from, QRgb to, double share) {
  return qRgb(mixed(qRed(from), qRed(to), share), mixed(qGreen(from), qGreen(to), share),
              mixed(qBlue(from), qBlue(to), share));
}

/// Share of the visible colour for a fraction of visible cells: 0 and 1 for none and all only.
double visibleShare(float fraction) {
  if (fraction <= 0) return 0;
  if (fraction >= 1) return 1;
  return 0.3 + 0.55 * static_cast<double>(fraction);
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

class TilePainter {
 public:
  TilePainter(const Summary& summary, Aggregate aggregate, const ColourScale& scale)
      : m_summary(summary), m_aggregate(aggregate), m_scale(scale) {}

  void paintRow(Index row, QRgb* out) const {
    const float* values = planeOf(m_summary, m_aggregate).data() + row * m_summary.cols;
    if (m_scale.kind == ValueScale::visibility) return paintMaskRow(row, values, out);
    const bool fade = m_aggregate == Aggregate::mean && !m_summary.coherence.empty();
    const float* coherence = fade ? m_summary.coherence.data() + row * m_summary.cols : nullptr;
    for (Index col = 0; col < m_summary.cols; ++col) {
      out[col] = m_scale.colourOf(static_cast<double>(values[col]));
      if (coherence) out[col] = blend(m_scale.neutral, out[col], std::clamp<double>(coherence[col], 0, 1));
    }
  }

 private:
  void paintMaskRow(Index row, const float* values, QRgb* out) const {
    const std::uint8_t* reasons = m_summary.reason.empty() ? nullptr : m_summary.reason.data() + row * m_summary.cols;
    for (Index col = 0; col < m_summary.cols; ++col) {
      const std::size_t reason = reasons ? reasons[col] : 0;
      const bool known = reason > 0 && reason <= m_scale.reasonColours.size();
      const QRgb masked = known ? m_scale.reasonColours[reason - 1] : m_scale.masked;
      const double share = visibleShare(values[col]);
      out[col] = share <= 0 ? masked : share >= 1 ? m_scale.visible : blend(masked, m_scale.visible, share);
    }
  }

  const Summary& m_summary;
  Aggregate m_aggregate;
  const ColourScale& m_scale;
};

const ColourMap* fittingMap(ValueScale kind) {
  switch (kind) {
    case ValueScale::cyclic: return findColourMap("twilight");
    case ValueScale::diverging: return findColourMap("diverging");
    default: return findColourMap("viridis");
  }
}

ColourScale emptyScale(bool dark) {
  ColourScale scale;
  const MaskColours mask = maskColours(dark);
  scale.visible = mask.visible;
  scale.masked = mask.masked;
  scale.neutral = qRgb(0x8a, 0x8d, 0x94);  // twilight is never this grey
  scale.notANumber = mask.notANumber;
  scale.minusInfinity = mask.minusInfinity;
  return scale;
}

}  // namespace

QRgb ColourScale::colourOf(double value) const {
  if (std::isnan(value)) return notANumber;
  if (value == -std::numeric_limits<double>::infinity()) return minusInfinity;
  if (!categories.empty()) {
    const auto last = static_cast<double>(categories.size() - 1);
    return categories[static_cast<std::size_t>(std::clamp(std::round(value), 0.0, last))];
  }
  if (signedTurn && value < 0) value += high;
  return map->at((value - low) / (high - low));
}

QRgb ColourScale::cellColour(double value) const {
  if (kind == ValueScale::visibility) return value > 0 ? visible : masked;
  return colourOf(value);
}

ColourScale colourScale(const Method& method, const Field& field, const ParameterValues& values,
                        const std::string& mapId, bool dark) {
  ColourScale scale = emptyScale(dark);
  scale.kind = method.field()->scale;
  scale.difference = method.field()->difference;
  std::tie(scale.low, scale.high) = field.value_range();
  if (scale.kind == ValueScale::cyclic) scale.high = 2 * std::numbers::pi;
  // The centre of a diverging map is 0, so both sides reach equally far.
  if (scale.kind == ValueScale::diverging) {
    scale.high = std::max(std::abs(scale.low), std::abs(scale.high));
    scale.low = -scale.high;
  }
  if (!(scale.high > scale.low)) scale.high = scale.low + 1;
  const ColourMap* chosen = findColourMap(mapId);
  if (scale.kind == ValueScale::categorical && !chosen) {
    Categories categories = method.field()->categories(values);
    scale.categories =
        bucketColours(static_cast<int>(categories.second), static_cast<int>(categories.count - categories.second));
    scale.groups = std::move(categories.groups);
  }
  if (scale.kind == ValueScale::visibility) {
    scale.reasons = field.reasons();
    for (std::size_t i = 0; i < scale.reasons.size(); ++i)
      scale.reasonColours.push_back(maskColours(dark).ofTerm(scale.reasons[i], i));
  }
  scale.map = chosen ? chosen : fittingMap(scale.kind);
  return scale;
}

ColourScale differenceScale(const Method& method, bool dark) {
  ColourScale scale = emptyScale(dark);
  if (method.field()->scale == ValueScale::cyclic) {
    scale.kind = ValueScale::cyclic;
    scale.high = 2 * std::numbers::pi;
    scale.signedTurn = true;
    scale.map = fittingMap(ValueScale::cyclic);
    return scale;
  }
  scale.kind = ValueScale::diverging;
  scale.low = -1;
  scale.difference = true;
  scale.fitted = true;
  scale.map = fittingMap(ValueScale::diverging);
  return scale;
}

Aggregate aggregateFor(const ColourScale& scale, Aggregate chosen) {
  if (chosen != Aggregate::automatic) return chosen;
  return scale.difference ? Aggregate::largest : Aggregate::mean;
}

void takeLargest(Summary& summary) {
  summary.mean.resize(summary.max.size());
  for (std::size_t i = 0; i < summary.max.size(); ++i)
    summary.mean[i] = summary.max[i] < -summary.min[i] ? summary.min[i] : summary.max[i];
}

ColourScale fittedScale(ColourScale scale, const Summary& summary, Aggregate aggregate) {
  double reach = 0;
  for (const float value : planeOf(summary, aggregate))
    if (std::isfinite(value)) reach = std::max(reach, std::abs(static_cast<double>(value)));
  if (reach <= 0) return scale;
  const double power = std::pow(10.0, std::floor(std::log10(reach)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    scale.high = step * power;
    scale.low = -scale.high;
    if (reach <= scale.high) break;
  }
  return scale;
}

ColourScale clippedScale(ColourScale scale, const Summary& summary, Aggregate aggregate) {
  if (scale.kind != ValueScale::sequential && scale.kind != ValueScale::diverging) return scale;
  const double slack = 1e-6 * (scale.high - scale.low);  // the planes are float32
  for (const float value : planeOf(summary, aggregate)) {
    scale.clipsLow = scale.clipsLow || (std::isfinite(value) && static_cast<double>(value) < scale.low - slack);
    scale.clipsHigh = scale.clipsHigh || static_cast<double>(value) > scale.high + slack;
  }
  return scale;
}

QImage paintSummary(const Summary& summary, const PixelAxis& rows, const PixelAxis& cols, Aggregate aggregate,
                    const ColourScale& scale) {
  const auto width = static_cast<int>(cols.tiles.size());
  const auto height = static_cast<int>(rows.tiles.size());
  QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  const TilePainter painter(summary, aggregate, scale);
  std::vector<QRgb> tiles(static_cast<std::size_t>(summary.cols));
  std::int32_t painted = -1;
  for (int y = 0; y < height; ++y) {
    const std::int32_t row = rows.tiles[static_cast<std::size_t>(y)];
    if (row < 0) continue;
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    if (row == painted) {
      std::memcpy(line, image.constScanLine(y - 1), static_cast<std::size_t>(width) * sizeof(QRgb));
      continue;
    }
    painter.paintRow(row, tiles.data());
    for (std::size_t x = 0; x < cols.tiles.size(); ++x)
      if (cols.tiles[x] >= 0) line[x] = tiles[static_cast<std::size_t>(cols.tiles[x])];
    painted = row;
  }
  return image;
}

}  // namespace vqscope
