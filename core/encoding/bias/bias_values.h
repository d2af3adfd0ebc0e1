// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <vector>

namespace vqscope {

/// How ALiBi's slopes follow from the number of heads n (Press et al. 2022, section 3).
enum class AlibiSlopes {
  authors,  ///< 2^(-8 (h+1)/n) where n is a power of two; else those of the power below, then every other of the next's
  plain     ///< 2^(-8 (h+1)/n) for any n
};

/// Slope of each head.
std::vector<double> alibi_slopes(Index num_heads, AlibiSlopes slopes);

/// The biases at a distance of 0 or more.
double kerple_log(double r1, double r2, double distance);
double kerple_power(double r1, double r2, double distance);

}  // namespace vqscope
