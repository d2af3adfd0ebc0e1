// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/summary_painter.h"

#include "core/base/parallel.h"
#include "core/field/label_counts.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace vqscope {
namespace {

int mixed(int a, int b, double fraction) { return static_cast<int>(std::lround(a + (b - a) * fraction)); }

QRgb blend(QRgb from, QRgb to, double fraction) {
  return qRgb(mixed(qRed(from), qRed(to), fraction), mixed(qGreen(from), qGreen(to), fraction),
              mixed(qBlue(from), qBlue(to), fraction));
}

/// Share of the visible colour for a fraction of visible cells: 0 and 1 for none and all only.
double visibleFraction(float fraction) {
  if (fraction <= 0) return 0;
  if (fraction >= 1) return 1;
  return 0.3 + 0.55 * static_cast<double>(fraction);
}

class TilePainter {
 public:
  TilePainter(const Summary& summary, Aggregate aggregate, const ColourScale& scale)
      : m_summary(summary), m_aggregate(aggregate), m_scale(scale) {}

  void paintRow(Index row, QRgb* out) const {
    const float* values = planeOf(m_summary, m_aggregate).data() + row * m_summary.cols;
    if (m_scale.kind == ValueScale::visibility) return paintMaskRow(row, values, out);
    if (m_scale.isMaskDifference()) return paintDifferenceRow(row, values, out);
    const bool fade = m_aggregate == Aggregate::mean && !m_summary.coherence.empty();
    const float* coherence = fade ? m_summary.coherence.data() + row * m_summary.cols : nullptr;
    for (Index col = 0; col < m_summary.cols; ++col) {
      out[col] = m_scale.colourOf(static_cast<double>(values[col]));
      if (coherence) out[col] = blend(m_scale.neutral, out[col], std::clamp<double>(coherence[col], 0, 1));
    }
  }

 private:
  /// The colour of A or B over that of cells which both or neither of them shows.
  void paintDifferenceRow(Index row, const float* values, QRgb* out) const {
    const std::uint8_t* reasons = m_summary.reason.empty() ? nullptr : m_summary.reason.data() + row * m_summary.cols;
    for (Index col = 0; col < m_summary.cols; ++col) {
      const QRgb equal = reasons && reasons[col] > 0 ? m_scale.reasonColours.front() : m_scale.zero;
      out[col] = blend(equal, m_scale.rampColour(values[col] > 0 ? 1 : 0), visibleFraction(std::abs(values[col])));
    }
  }

  void paintMaskRow(Index row, const float* values, QRgb* out) const {
    const std::uint8_t* reasons = m_summary.reason.empty() ? nullptr : m_summary.reason.data() + row * m_summary.cols;
    for (Index col = 0; col < m_summary.cols; ++col) {
      const std::size_t reason = reasons ? reasons[col] : 0;
      const bool known = reason > 0 && reason <= m_scale.reasonColours.size();
      const QRgb masked = known ? m_scale.reasonColours[reason - 1] : m_scale.masked;
      const double fraction = visibleFraction(values[col]);
      out[col] = fraction <= 0 ? masked : fraction >= 1 ? m_scale.visible : blend(masked, m_scale.visible, fraction);
    }
  }

  const Summary& m_summary;
  Aggregate m_aggregate;
  const ColourScale& m_scale;
};

std::vector<std::size_t> severalLabels(const Summary& summary) {
  std::vector<std::size_t> tiles;
  for (std::size_t tile = 0; tile < summary.min.size(); ++tile)
    if (summary.min[tile] < summary.max[tile]) tiles.push_back(tile);
  return tiles;
}

}  // namespace

void takeLargest(Summary& summary) {
  summary.mean.resize(summary.max.size());
  for (std::size_t i = 0; i < summary.max.size(); ++i)
    summary.mean[i] = summary.max[i] < -summary.min[i] ? summary.min[i] : summary.max[i];
}

QImage paintSummary(const Summary& summary, const PixelAxis& rows, const PixelAxis& cols, Aggregate aggregate,
                    const ColourScale& scale, const std::vector<QRgb>& own) {
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
    if (!own.empty())
      for (std::size_t tile = 0; tile < tiles.size(); ++tile)
        if (const QRgb colour = own[static_cast<std::size_t>(row) * tiles.size() + tile]; colour != 0)
          tiles[tile] = colour;
    for (std::size_t x = 0; x < cols.tiles.size(); ++x)
      if (cols.tiles[x] >= 0) line[x] = tiles[static_cast<std::size_t>(cols.tiles[x])];
    painted = row;
  }
  return image;
}

QRgb mixedColour(const LabelCounts& counts, const ColourScale& scale) {
  double red = 0;
  double green = 0;
  double blue = 0;
  double cells = 0;
  for (const auto& [label, count] : counts) {
    const QRgb colour = scale.colourOf(label);
    const auto weight = static_cast<double>(count);
    red += weight * qRed(colour);
    green += weight * qGreen(colour);
    blue += weight * qBlue(colour);
    cells += weight;
  }
  const auto channel = [&](double sum) { return static_cast<int>(std::lround(sum / cells)); };
  return qRgb(channel(red), channel(green), channel(blue));
}

LabelMix mixLabels(const Field& field, const TileGrid& grid, const Summary& summary, const ColourScale& scale,
                   Index maxCells, int threads, const std::stop_token& stop) {
  const auto tiles = severalLabels(summary);
  LabelMix mix;
  if (tiles.empty()) return mix;
  mix.mixes = true;
  mix.colours.resize(summary.min.size());
  const Index budget = std::max<Index>(1, maxCells / static_cast<Index>(tiles.size()));
  std::atomic<bool> exact = true;
  constexpr Index some = 64;  // tiles a thread takes at a time
  const auto count = static_cast<Index>(tiles.size());
  parallel_for((count + some - 1) / some, threads, [&](Index part) {
    LabelCounts counts;
    for (Index i = part * some; i < std::min(count, (part + 1) * some) && !stop.stop_requested(); ++i) {
      const std::size_t at = tiles[static_cast<std::size_t>(i)];
      const Rect tile = grid.tile(static_cast<Index>(at) / summary.cols, static_cast<Index>(at) % summary.cols);
      const bool counted = count_labels_of(field, tile, budget, stop, counts);
      if (counts.empty()) continue;  // stopped
      if (!counted) exact = false;
      mix.colours[at] = counted ? mixedColour(counts, scale) : scale.colourOf(most_frequent(counts));
    }
  });
  mix.exact = exact;
  return mix;
}

}  // namespace vqscope
