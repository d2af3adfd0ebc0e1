// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <limits>

namespace vqscope::test {

/// Where a function that holds for all of the past begins.
inline constexpr Index before_all = std::numeric_limits<Index>::min();

}  // namespace vqscope::test
