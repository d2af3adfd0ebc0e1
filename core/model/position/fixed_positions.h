// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/transformer_config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// The bias of ALiBi or Sandwich, which have no parameters, by head and distance, [heads, length].
std::vector<double> fixed_bias(const TransformerConfig& config, Index length);

/// Sinusoidal encodings (Vaswani et al. 2017, section 3.5) of some positions, [positions, d_model]: dimensions 2k and
/// 2k + 1 are sine and cosine of position / 10000^(2k / d_model).
std::vector<double> sinusoidal_encodings(Index d_model, std::span<const std::int32_t> positions);

/// Sinusoids of the distances 0 to length - 1 (Transformer-XL), [length, d_model]: the sines of all frequencies
/// 10000^(-2k / d_model), then their cosines. Distances above clamp_len count as clamp_len; 0: no
/// clamping.
std::vector<double> distance_sinusoids(Index d_model, Index length, Index clamp_len = 0);

/// Factor of Transformer-XL's u, v and r: head_dim^(-1/4) where queries and keys are normalised and
/// have this factor too, so that scores are ((q + u) · k + (q + v) · r) / √head_dim as elsewhere; else 1.
double distance_scale(const TransformerConfig& config);

}  // namespace vqscope
