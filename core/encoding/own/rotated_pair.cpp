// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/rotated_pair.h"

#include <algorithm>
#include <cassert>
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

Rotation::Rotation(const RopeScaling& scaling, PairLayout layout)
    : m_size(scaling.head_dim),
      m_pairs(scaling.pairs()),
      m_layout(layout),
      m_is_exact(scaling.precision == RopePrecision::exact) {
  const RopeFrequencies frequencies = rope_frequencies(scaling);
  m_factor = frequencies.attention_factor;
  m_rates = turns_of(frequencies.inv_freq);
  for (const long double each : frequencies.inv_freq) m_inv_freq.push_back(static_cast<float>(each));
}

std::pair<double, double> Rotation::cos_sin(Index pair, Index position) const {
  const auto at = static_cast<std::size_t>(pair);
  if (m_is_exact) {
    const Turns angle = static_cast<Turns>(position) * m_rates[at];
    return {m_factor * cosine(angle), m_factor * sine(angle)};
  }
  const float angle = static_cast<float>(position) * m_inv_freq[at];
  const auto factor = static_cast<float>(m_factor);
  return {static_cast<double>(std::cos(angle) * factor), static_cast<double>(std::sin(angle) * factor)};
}

void Rotation::apply(std::span<const double> x, Index position, std::span<double> out) const {
  assert(static_cast<Index>(out.size()) == m_size && static_cast<Index>(x.size()) >= m_size - 1);
  std::ranges::fill(out, 0);
  std::ranges::copy(x, out.begin());
  for (Index pair = 0; pair < m_pairs; ++pair) {
    const auto [first, second] = dimensions_of(pair, m_pairs, m_layout, m_size);
    const auto [cos, sin] = cos_sin(pair, position);
    double& a = out[static_cast<std::size_t>(first)];
    double& b = out[static_cast<std::size_t>(second)];
    const double turned = a * cos - b * sin;
    b = b * cos + a * sin;
    a = turned;
  }
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

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
