// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/rotary_tables.h"

#include "core/encoding/rope/rope_scaling.h"

#include <cmath>

namespace vqscope {
namespace {

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

/// xPos: queries are multiplied by zeta^(position / scale_base), keys divided by it. 1 for all
/// other encodings.
double growth(const TransformerConfig& config, Index pair, double position) {
  if (config.pos != PositionKind::xpos) return 1;
  const double fraction = 2 * static_cast<double>(pair) / static_cast<double>(config.head_dim);
  const double zeta = (fraction + config.xpos_gamma) / (1 + config.xpos_gamma);
  return std::pow(zeta, position / config.xpos_scale_base);
}

}  // namespace

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

template RotaryTables<float> rotary_tables(const TransformerConfig&, std::span<const std::int32_t>);
template RotaryTables<double> rotary_tables(const TransformerConfig&, std::span<const std::int32_t>);

}  // namespace vqscope
