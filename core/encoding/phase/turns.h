// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// An angle in 2^-64 of a turn. Integer arithmetic wraps at whole turns by itself, so position ·
/// rate is right to half a unit a position: 4e-13 rad at position 2^21, where float32 angles are
/// wrong by 0.12.
using Turns = std::uint64_t;

inline constexpr Turns half_turn = Turns{1} << 63;
inline constexpr Turns quarter_turn = Turns{1} << 62;

/// Nearest rate to so many radians a position.
Turns turns_of(long double radians);

/// Those of several frequencies.
std::vector<Turns> turns_of(std::span<const long double> radians);

/// In [0, 2π), and in (-π, π].
double radians(Turns turns);
double signed_radians(Turns turns);

/// cos and sin, to the last bit or so near their zeros too: 0 at a quarter turn.
double cosine(Turns turns);
double sine(Turns turns);

/// Angles start, start + rate, ..., start + (count - 1) rate. A rate of 0 repeats one angle.
struct Progression {
  Turns start = 0;
  Turns rate = 0;
  std::uint64_t count = 1;
};

/// Smallest and largest of a progression, as numbers in [0, 2^64). Exact, in time logarithmic in
/// `count`.
struct TurnBounds {
  Turns low = 0;
  Turns high = 0;
};
TurnBounds bounds(const Progression& progression);

/// How near the progression comes to `target`, from either side: at most half a turn.
Turns distance_to(Turns target, const Progression& progression);

/// The sum of the unit vectors of a progression, in closed form.
struct VectorSum {
  double length = 0;
  Turns direction = 0;
};
VectorSum vector_sum(const Progression& progression);

}  // namespace vqscope
