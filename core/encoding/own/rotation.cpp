// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/rotation.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {

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

}  // namespace vqscope
