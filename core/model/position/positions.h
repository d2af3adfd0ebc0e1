// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/model/config/transformer_config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// Sinusoidal encodings (Vaswani et al. 2017, section 3.5) of some positions, [positions, d_model]:
/// dimensions 2k and 2k + 1 are sine and cosine of position / 10000^(2k / d_model).
std::vector<double> sinusoidal_encodings(Index d_model, std::span<const std::int32_t> positions);

/// Sinusoids of the distances 0 to length - 1 (Transformer-XL), [length, d_model]: the sines of all
/// frequencies xl_base^(-2k / d_model), then their cosines. Distances above clamp_len count as
/// clamp_len, unless it is 0. VQ attention has zeros at distances above block_len.
std::vector<double> distance_sinusoids(const TransformerConfig& config, Index length);

/// Factor of Transformer-XL's u, v and r: head_dim^(-1/4) where queries and keys are normalised and
/// have this factor too, so that scores are ((q + u) · k + (q + v) · r) / √head_dim as elsewhere;
/// else 1.
double distance_scale(const TransformerConfig& config);

/// RoPE (Su et al. 2021) as in Hugging Face Llama: dimension k of a head and k + head_dim / 2 are a
/// pair, rotated by the angle whose cosine and sine are in tables [tokens, head_dim / 2]:
///   (x1, x2) <- (x1 cos - x2 sin, x2 cos + x1 sin)
/// Both tables include the factors of a token and pair (YaRN, xPos).
template <class Real>
struct Rotary {
  Index tokens = 0;
  Index heads = 0;
  Index head_dim = 0;
  const Real* cos = nullptr;
  const Real* sin = nullptr;

  /// In place; x [tokens, heads · head_dim].
  void forward(Real* x) const;
  /// Turns the gradient by the rotated numbers into that by the numbers before rotation.
  void backward(Real* dx) const;
};

/// Cosines and sines [positions, head_dim / 2] for queries and keys, which differ only under xPos
/// (Sun et al. 2022,
/// section 3). Angles are computed in double.
template <class Real>
struct RotaryTables {
  std::vector<Real> query_cos;
  std::vector<Real> query_sin;
  std::vector<Real> key_cos;
  std::vector<Real> key_sin;
};

/// Empty if the config does not rotate.
template <class Real>
RotaryTables<Real> rotary_tables(const TransformerConfig& config, std::span<const std::int32_t> positions);

/// Refuses a last position at which a factor of xPos leaves the range of Real, with room for the
/// numbers that it multiplies.
template <class Real>
Result<void> check_xpos_range(const TransformerConfig& config, Index last);

/// Tables [head_dim / 2] for the queries of scores at the config's far_distance(), whose keys are not
/// rotated; empty if there is none. Those of VQ attention have the factors of the keys too, so that
/// scores do not jump there.
template <class Real>
RotaryTables<Real> far_rotary_tables(const TransformerConfig& config);

}  // namespace vqscope
