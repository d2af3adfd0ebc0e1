// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/relative/relative_function.h"

namespace vqscope {

/// factor · Σ cos(relative_position · 10000^(-2i / d)), i below d / 2: the product of two sinusoidal encodings of d
/// dimensions (Vaswani et al. 2017, section 3.5). Even.
RelativeFunction sinusoidal_product(Index d, double factor);

/// Refuses an odd number of dimensions.
Result<void> check_even(const char* parameter, const ParameterValues& values);

}  // namespace vqscope
