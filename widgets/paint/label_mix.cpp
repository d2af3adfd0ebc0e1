// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/label_mix.h"

#include "core/base/parallel.h"
#include "core/field/label_counts.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace vqscope {
namespace {

std::vector<std::size_t> severalLabels(const Summary& summary) {
  std::vector<std::size_t> tiles;
  for (std::size_t tile = 0; tile < summary.min.size(); ++tile)
    if (summary.min[tile] < summary.max[tile]) tiles.push_back(tile);
  return tiles;
}

}  // namespace

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
