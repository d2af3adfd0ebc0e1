// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/positions.h"

#include "core/base/sentence.h"
#include "core/encoding/rope/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

template <class Real>
void turn(const Rotary<Real>& rotary, Real direction, Real* x) {
  const Index half = rotary.head_dim / 2;
  for (Index t = 0; t < rotary.tokens; ++t) {
    const Real* cos = rotary.cos + t * half;
    const Real* sin = rotary.sin + t * half;
    for (Index head = 0; head < rotary.heads; ++head, x += rotary.head_dim)
      for (Index k = 0; k < half; ++k) {
        const Real first = x[k];
        const Real second = x[k + half];
        x[k] = first * cos[k] - second * direction * sin[k];
        x[k + half] = second * cos[k] + first * direction * sin[k];
      }
  }
}

/// YaRN's ramp as in the paper, over turns within the training length.
RopeFrequencies frequencies_of(const TransformerConfig& config) {
  return rope_frequencies({.rope_type = config.rope_scaling,
                           .head_dim = config.head_dim,
                           .rope_theta = config.rope_theta,
                           .factor = config.rope_factor,
                           .original_max_position_embeddings = config.original_max_position,
                           .beta_fast = config.yarn_beta_fast,
                           .beta_slow = config.yarn_beta_slow,
                           .yarn_ramp = YarnRamp::rotation_count,
                           .precision = RopePrecision::exact});
}

/// The decay of a pair under xPos.
double zeta_of(const TransformerConfig& config, Index pair) {
  const double fraction = 2 * static_cast<double>(pair) / static_cast<double>(config.head_dim);
  return (fraction + config.xpos_gamma) / (1 + config.xpos_gamma);
}

/// xPos: queries are multiplied by zeta^(position / scale_base), keys divided by it. 1 for all
/// other encodings.
double growth(const TransformerConfig& config, Index pair, double position) {
  if (config.pos != PositionKind::xpos) return 1;
  return std::pow(zeta_of(config, pair), position / config.xpos_scale_base);
}

}  // namespace

std::vector<double> sinusoidal_encodings(Index d_model, std::span<const std::int32_t> positions) {
  std::vector<double> encodings;
  for (const double position : positions)
    for (Index i = 0; i < d_model; ++i) {
      const double angle = position / std::pow(10000, static_cast<double>(i - i % 2) / static_cast<double>(d_model));
      encodings.push_back(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return encodings;
}

std::vector<double> distance_sinusoids(const TransformerConfig& c, Index length) {
  std::vector<double> sinusoids;
  for (Index distance = 0; distance < length; ++distance)
    for (Index i = 0; i < c.d_model; ++i) {
      const Index k = i % (c.d_model / 2);
      const double fraction = 2 * static_cast<double>(k) / static_cast<double>(c.d_model);
      const Index counted = c.clamp_len > 0 ? std::min(distance, c.clamp_len) : distance;
      const double angle = static_cast<double>(counted) * std::pow(c.xl_base, -fraction);
      const double value = i < c.d_model / 2 ? std::sin(angle) : std::cos(angle);
      sinusoids.push_back(c.quantises() && distance > c.block_len ? 0 : value);
    }
  return sinusoids;
}

double distance_scale(const TransformerConfig& config) {
  return config.normalises() ? std::pow(static_cast<double>(config.head_dim), -0.25) : 1;
}

template <class Real>
void Rotary<Real>::forward(Real* x) const {
  turn(*this, Real{1}, x);
}

/// The transpose: rotates by the negative angle, with the same factors.
template <class Real>
void Rotary<Real>::backward(Real* dx) const {
  turn(*this, Real{-1}, dx);
}

template struct Rotary<float>;
template struct Rotary<double>;

template <class Real>
Result<void> check_xpos_range(const TransformerConfig& config, Index last) {
  if (config.pos != PositionKind::xpos) return {};
  constexpr double room = 1e-6;
  const double most = std::log(room * static_cast<double>(std::numeric_limits<Real>::max()));
  const double limit = std::floor(most / -std::log(zeta_of(config, 0)) * config.xpos_scale_base);
  if (static_cast<double>(last) <= limit) return {};
  return invalid("position {} is above {}, where the factors of xPos leave float{}; use a larger xpos_scale_base", last,
                 plain_text(limit), 8 * sizeof(Real));
}

template Result<void> check_xpos_range<float>(const TransformerConfig&, Index);
template Result<void> check_xpos_range<double>(const TransformerConfig&, Index);

template <class Real>
RotaryTables<Real> rotary_tables(const TransformerConfig& config, std::span<const std::int32_t> positions) {
  RotaryTables<Real> tables;
  if (!config.rotates()) return tables;
  const RopeFrequencies frequencies = frequencies_of(config);
  for (const double position : positions)
    for (Index pair = 0; pair < config.head_dim / 2; ++pair) {
      const auto inv_freq = static_cast<double>(frequencies.inv_freq[static_cast<std::size_t>(pair)]);
      const double cos = frequencies.attention_factor * std::cos(position * inv_freq);
      const double sin = frequencies.attention_factor * std::sin(position * inv_freq);
      const double factor = growth(config, pair, position);
      tables.query_cos.push_back(static_cast<Real>(cos * factor));
      tables.query_sin.push_back(static_cast<Real>(sin * factor));
      tables.key_cos.push_back(static_cast<Real>(cos / factor));
      tables.key_sin.push_back(static_cast<Real>(sin / factor));
    }
  return tables;
}

template <class Real>
RotaryTables<Real> far_rotary_tables(const TransformerConfig& config) {
  if (config.far_distance() == 0) return {};
  auto tables = rotary_tables<Real>(config, std::array{static_cast<std::int32_t>(config.far_distance())});
  if (!config.quantises()) return tables;
  const auto factor = static_cast<Real>(frequencies_of(config).attention_factor);
  for (auto* table : {&tables.query_cos, &tables.query_sin})
    for (Real& value : *table) value *= factor;
  return tables;
}

template RotaryTables<float> far_rotary_tables(const TransformerConfig&);
template RotaryTables<double> far_rotary_tables(const TransformerConfig&);
template RotaryTables<float> rotary_tables(const TransformerConfig&, std::span<const std::int32_t>);
template RotaryTables<double> rotary_tables(const TransformerConfig&, std::span<const std::int32_t>);

}  // namespace vqscope
