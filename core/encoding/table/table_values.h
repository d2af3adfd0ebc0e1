// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/parameter.h"
#include "core/relative/relative_function.h"

#include <cassert>
#include <cmath>
#include <cstdint>

namespace vqscope {

/// Entry [position, dimension] of a table of standard normal numbers that is never stored: a
/// function of the seed and the place alone, the same for every size of the table.
double drawn_normal(std::uint64_t seed, Index position, Index dimension);

/// factor · Σ cos(relative_position · 10000^(-2i / d)), i below d / 2: the product of two
/// sinusoidal encodings of d dimensions (Vaswani et al. 2017, section 3.5). Even.
RelativeFunction sinusoidal_product(Index d, double factor);

/// Refuses an odd number of dimensions.
Result<void> check_even(const char* parameter, const ParameterValues& values);

/// ζ_i of pair i of a head of d dimensions.
double xpos_zeta(Index pair, Index d);

/// Relative distance to a whole number below which a power of β is that number.
inline constexpr long double whole_within = 1e-12L;

/// 1000^(1/3) is 10 and (10^(1/16))^16 too: rounding must not put the floor of a division by it one
/// lower.
inline long double whole_if_near(long double value) {
  const long double whole = std::round(value);
  return std::abs(value - whole) < whole_within * value ? whole : value;
}

/// β = rope_theta^(2/d) of RoPE's frequencies.
inline long double rope_beta(double rope_theta, Index d) {
  return whole_if_near(std::pow(static_cast<long double>(rope_theta), 2.0L / static_cast<long double>(d)));
}

/// β^m, the number of positions after which digit m + 1 changes.
inline long double beta_power(long double beta, Index m) {
  return whole_if_near(std::pow(beta, static_cast<long double>(m)));
}

/// Digit m (1 is the lowest) of a position written in base β, floor(position / β^(m-1)) mod β, in
/// [0, β). β is at least above 1 and need not be a whole number, nor the position. The mod is the
/// real one, so a digit of a fractional β is a fraction too: RoPE's pair m-1 turns by position /
/// β^(m-1) with β = rope_theta^(2/d), and cos and sin do the mod (Su, 2023).
inline double beta_digit(long double position, Index m, long double beta) {
  assert(position >= 0 && m >= 1 && beta > 1);
  const long double shifted = std::floor(position / beta_power(beta, m - 1));
  const long double digit = std::fmod(shifted, beta);
  return static_cast<double>(digit);
}

}  // namespace vqscope
