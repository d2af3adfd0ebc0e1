// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/rotated_pair.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace vqscope {
namespace {

constexpr Index most_compared = 32;  // rows and columns

std::vector<double> rotate_rows(const Rotation& rotation, const std::vector<double>& rows, Index dims,
                                std::span<const Index> positions, const std::stop_token& stop) {
  const auto size = static_cast<std::size_t>(rotation.size()), width = static_cast<std::size_t>(dims);
  std::vector<double> out(positions.size() * size);
  for (std::size_t row = 0; row < positions.size() && !stop.stop_requested(); ++row)
    rotation.apply(std::span(rows).subspan(row * width, width), positions[row],
                   std::span(out).subspan(row * size, size));
  return out;
}

/// The first rows and columns, at the same positions.
RotarySetting part_of(const RotarySetting& setting) {
  RotarySetting part = setting;
  const auto keep = [](std::vector<Index>& positions, std::vector<double>& rows, Index dims) {
    positions.resize(std::min(positions.size(), static_cast<std::size_t>(most_compared)));
    rows.resize(positions.size() * static_cast<std::size_t>(dims));
  };
  keep(part.positions.q, part.vectors.queries, part.vectors.dims);
  keep(part.positions.k, part.vectors.keys, part.vectors.dims);
  return part;
}

RotaryPositions shifted(RotaryPositions positions, Index shift) {
  for (Index& each : positions.q) each += shift;
  for (Index& each : positions.k) each += shift;
  return positions;
}

template <class See>
void for_each_score(const RotarySetting& part, See see) {
  const auto rows = static_cast<Index>(part.positions.q.size()), cols = static_cast<Index>(part.positions.k.size());
  for (Index row = 0; row < rows; ++row)
    for (Index col = 0; col < cols; ++col) see(row, col);
}

}  // namespace

double RotatedPair::score(Index row, Index col) const {
  const auto width = static_cast<std::size_t>(size);
  return dot(std::span(q).subspan(static_cast<std::size_t>(row) * width, width),
             std::span(k).subspan(static_cast<std::size_t>(col) * width, width));
}

RotatedPair rotate(const RotarySetting& setting, const RotaryPositions& positions, const std::stop_token& stop) {
  const Rotation rotation(setting.scaling, setting.layout);
  const OwnVectors& own = setting.vectors;
  return {rotation.size(), rotate_rows(rotation, own.queries, own.dims, positions.q, stop),
          rotate_rows(rotation, own.keys, own.dims, positions.k, stop)};
}

double shift_error(const RotarySetting& setting, Index shift) {
  const RotarySetting part = part_of(setting);
  const RotatedPair here = rotate(part, part.positions, {});
  const RotatedPair there = rotate(part, shifted(part.positions, shift), {});
  double largest = 0;
  for_each_score(part, [&](Index row, Index col) {
    largest = std::max(largest, std::abs(here.score(row, col) - there.score(row, col)));
  });
  return largest * std::abs(setting.score_scale);
}

double spread_by_distance(const RotarySetting& setting) {
  const RotarySetting part = part_of(setting);
  const RotatedPair rotated = rotate(part, part.positions, {});
  std::map<Index, std::pair<double, double>> range;
  for_each_score(part, [&](Index row, Index col) {
    const double score = rotated.score(row, col);
    const Index distance =
        part.positions.k[static_cast<std::size_t>(col)] - part.positions.q[static_cast<std::size_t>(row)];
    const auto [known, is_new] = range.try_emplace(distance, score, score);
    known->second.first = std::min(known->second.first, score);
    known->second.second = std::max(known->second.second, score);
  });
  double widest = 0;
  for (const auto& [distance, ends] : range) widest = std::max(widest, ends.second - ends.first);
  return widest * std::abs(setting.score_scale);
}

}  // namespace vqscope
