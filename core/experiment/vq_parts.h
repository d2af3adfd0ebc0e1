// SPDX-License-Identifier: GPL-3.0-or-later
// The parts and factors of the linear form, as maps.
#pragma once

#include "core/experiment/setting/weighed_tokens.h"
#include "core/method/method.h"

#include <limits>

namespace vqscope {

/// Where there is not enough memory.
inline constexpr double no_part = std::numeric_limits<double>::quiet_NaN();

/// q·c in double, of the queries by which cached codewords are scored.
double code_score(const WeighedTokens& of, Index row, Index code);

/// A map of figure 2. All have the same parameters.
Method part_method(const char* id, const char* title, const char* help, FieldRecipe recipe);

}  // namespace vqscope
