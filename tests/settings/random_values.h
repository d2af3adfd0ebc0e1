// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/method/method.h"

namespace vqscope::settings {

/// Values of a method that no person would choose: ends of ranges, extreme lengths, long lists. In
/// about three settings of ten some are beyond their range, of another type, or no numbers.
ParameterValues random_values(const Method& method, SeededRandom& random);

/// The same within ranges, at their upper ends rather than elsewhere.
ParameterValues heavy_values(const Method& method, SeededRandom& random);

/// `vqscope export METHOD --set name=value ... --out FILE` for a shell; long values are cut.
std::string command_line(const Method& method, const ParameterValues& values);

}  // namespace vqscope::settings
