// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <limits>
#include <optional>

namespace vqscope::language {

inline constexpr Index lowest = std::numeric_limits<Index>::min();
inline constexpr Index highest = std::numeric_limits<Index>::max();

// 64-bit integers as Python would have them, or nothing where the result does not fit.

inline std::optional<Index> add(Index a, Index b) {
  Index result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<Index> subtract(Index a, Index b) {
  Index result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<Index> multiply(Index a, Index b) {
  Index result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// Towards minus infinity; b is neither 0 nor, for the lowest a, -1.
inline constexpr Index floor_divide(Index a, Index b) {
  const Index quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// With the sign of b, which is not 0.
inline constexpr Index floor_modulo(Index a, Index b) {
  if (b == -1) return 0;
  const Index rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// exponent >= 0.
inline std::optional<Index> power(Index base, Index exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base == 0) return 0;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::optional<Index> result = 1;
  // Beyond 64 factors of at least 2 nothing fits.
  for (Index i = 0; i < exponent && result; ++i) result = multiply(*result, base);
  return result;
}

/// count in [0, 63].
inline std::optional<Index> shift_left(Index value, Index count) {
  if (count == 63) return value == 0 ? std::optional<Index>(0) : value == -1 ? std::optional(lowest) : std::nullopt;
  return multiply(value, Index{1} << count);
}

}  // namespace vqscope::language
