// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>

namespace vqscope {

/// Entry [position, dimension] of a table of standard normal numbers that is never stored: a function of the seed and
/// the place alone, the same for every size of the table.
double drawn_normal(std::uint64_t seed, Index position, Index dimension);

}  // namespace vqscope
