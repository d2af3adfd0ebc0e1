// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/shared/number_type.h"

#include <optional>
#include <span>

namespace vqscope {

/// theta of frequencies theta^(-2 pair / dims) that were rounded to a type: the middle of what most of the rounded
/// ones allow. `variance` is that of the measured frequencies, before the rounding is counted. Nothing: too few say it.
std::optional<double> theta_before_cast(std::span<const double> frequency, std::span<const double> variance,
                                        const NumberType& cast, double dims);

}  // namespace vqscope
