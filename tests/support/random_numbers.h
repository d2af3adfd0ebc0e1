// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <random>

namespace vqscope::test {

using Random = std::mt19937;

/// Uniform in [first, last].
inline Index pick(Random& random, Index first, Index last) {
  return std::uniform_int_distribution<Index>(first, last)(random);
}

}  // namespace vqscope::test
