// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cassert>
#include <cmath>

namespace vqscope {

/// β = rope_theta^(2/d) of RoPE's frequencies. 1000^(1/3) is 10, of which a rounded exponent must not make a base with
/// a digit more.
inline long double rope_beta(double rope_theta, Index d) {
  const long double beta = std::pow(static_cast<long double>(rope_theta), 2.0L / static_cast<long double>(d));
  const long double whole = std::round(beta);
  return std::abs(beta - whole) < 1e-16L * beta ? whole : beta;
}

/// Digit m (1 is the lowest) of a position written in base β, floor(position / β^(m-1)) mod β, in [0, β). β is at least
/// above 1 and need not be a whole number, nor the position. The mod is the real one, so a digit of a fractional β is a
/// fraction too: RoPE's pair m-1 turns by position / β^(m-1) with β = rope_theta^(2/d), and cos and sin do the mod (Su,
/// 2023).
inline double beta_digit(long double position, Index m, long double beta) {
  assert(position >= 0 && m >= 1 && beta > 1);
  const long double shifted = std::floor(position / std::pow(beta, static_cast<long double>(m - 1)));
  const long double digit = std::fmod(shifted, beta);
  return static_cast<double>(digit);
}

}  // namespace vqscope
