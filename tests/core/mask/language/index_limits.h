// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <limits>

namespace vqscope::test {

inline constexpr Index lowest_index = std::numeric_limits<Index>::min();
inline constexpr Index highest_index = std::numeric_limits<Index>::max();

}  // namespace vqscope::test
