// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <span>
#include <string>

namespace vqscope {

/// A binary floating-point type: IEEE 754 binary64, binary32 and binary16, and bfloat16.
struct NumberType {
  std::string id;
  std::string help;
  int digits;          ///< of the significand, the hidden one included
  int least_exponent;  ///< of the smallest normal number, 2^least_exponent
  double largest;

  /// Nearest value of the type, ties to the even one; infinity where that is beyond `largest`.
  double rounded(double value) const;
  /// No |rounded(x) - x| exceeds this times |x|, for normal numbers.
  double unit() const;
  /// The first of 0, 1, 2, ... that is rounded to another whole number, 2^digits + 1.
  double first_collision() const;
};

/// float64, float32, bfloat16, float16.
std::span<const NumberType> number_types();

/// The one of that id, which must be there: parameters are checked against the same table.
const NumberType& number_type(std::string_view id);

/// `number_type`, one of them, and `number_types`, those that curves are drawn for.
ParameterSpec number_type_parameter();
ParameterSpec number_types_parameter();

}  // namespace vqscope
