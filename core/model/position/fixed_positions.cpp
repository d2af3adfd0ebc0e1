// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/fixed_positions.h"

#include "core/encoding/bias/bias_values.h"
#include "core/encoding/table/table_values.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::vector<double> alibi_bias(Index heads, Index length) {
  std::vector<double> bias;
  for (const double slope : alibi_slopes(heads, AlibiSlopes::authors))
    for (Index n = 0; n < length; ++n) bias.push_back(-slope * static_cast<double>(n));
  return bias;
}

std::vector<double> sandwich_bias(const TransformerConfig& config, Index length) {
  const RelativeFunction product = sinusoidal_product(config.sandwich_dim, 1);
  std::vector<double> by_distance;
  for (Index n = 0; n < length; ++n) by_distance.push_back(product.at(n));
  std::vector<double> bias;
  for (Index head = 0; head < config.n_heads; ++head)
    for (const double sum : by_distance)
      bias.push_back(static_cast<double>(config.n_heads) / (8 * static_cast<double>(head + 1)) * sum);
  return bias;
}

}  // namespace

std::vector<double> fixed_bias(const TransformerConfig& config, Index length) {
  return config.score_bias() == PositionKind::alibi ? alibi_bias(config.n_heads, length)
                                                    : sandwich_bias(config, length);
}

std::vector<double> sinusoidal_encodings(Index d_model, std::span<const std::int32_t> positions) {
  std::vector<double> encodings;
  for (const double position : positions)
    for (Index i = 0; i < d_model; ++i) {
      const double angle = position / std::pow(10000, static_cast<double>(i - i % 2) / static_cast<double>(d_model));
      encodings.push_back(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return encodings;
}

std::vector<double> distance_sinusoids(Index d_model, Index length, Index clamp_len) {
  std::vector<double> sinusoids;
  for (Index distance = 0; distance < length; ++distance)
    for (Index i = 0; i < d_model; ++i) {
      const Index k = i % (d_model / 2);
      const double fraction = 2 * static_cast<double>(k) / static_cast<double>(d_model);
      const Index counted = clamp_len > 0 ? std::min(distance, clamp_len) : distance;
      const double angle = static_cast<double>(counted) * std::pow(10000, -fraction);
      sinusoids.push_back(i < d_model / 2 ? std::sin(angle) : std::cos(angle));
    }
  return sinusoids;
}

double distance_scale(const TransformerConfig& config) {
  return config.normalises() ? std::pow(static_cast<double>(config.head_dim), -0.25) : 1;
}

}  // namespace vqscope
