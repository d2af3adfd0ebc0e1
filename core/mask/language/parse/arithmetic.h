// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <limits>
#include <optional>

namespace vqscope::language {

inline constexpr Index lowest = std::numeric_limits<Index>::min();
inline constexpr Index highest = std::numeric_limits<Index>::max();

// 64-bit integer arithmetic with Python's semantics; empty if the result does not fit.

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

/// Rounds towards minus infinity; b must not be 0, nor -1 for the lowest a.
inline constexpr Index floor_divide(Index a, Index b) {
  const Index quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// The result has the sign of b, which must not be 0.
inline constexpr Index floor_modulo(Index a, Index b) {
  if (b == -1) return 0;
  const Index rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Requires exponent >= 0.
inline std::optional<Index> power(Index base, Index exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base == 0) return 0;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::optional<Index> result = 1;
  // More than 64 factors of at least 2 never fit.
  for (Index i = 0; i < exponent && result; ++i) result = multiply(*result, base);
  return result;
}

/// Requires count in [0, 63].
inline std::optional<Index> shift_left(Index value, Index count) {
  if (count == 63) return value == 0 ? std::optional<Index>(0) : value == -1 ? std::optional(lowest) : std::nullopt;
  return multiply(value, Index{1} << count);
}

}  // namespace vqscope::language
