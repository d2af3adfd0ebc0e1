// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/method/shared/number_type.h"

namespace vqscope {

/// The quantity that is rounded to a number type on the way to position · inv_freq.
enum class RopeRounding {
  everything,  ///< positions, inv_freq and their product: the whole table is computed in that type
  inv_freq     ///< inv_freq alone, of a module that was cast; positions and product stay float32
};

/// position · inv_freq in that arithmetic, in radians; infinite where the type has no such number.
double rounded_angle(Index position, long double inv_freq, const NumberType& type, RopeRounding rounding);

/// That angle minus the one of real numbers, in radians, not wrapped. NaN where the angle is infinite.
double angle_error(Index position, long double inv_freq, const NumberType& type, RopeRounding rounding);

/// Lengths, RopeScaling's knobs but its precision, and `rounded`.
std::vector<ParameterSpec> rope_error_parameters();
RopeRounding rope_rounding_from(const ParameterValues& values);

}  // namespace vqscope
