// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that swing up and down from sample to sample: their means over many samples.
#pragma once

#include "core/method/curve_set.h"

#include <cstddef>
#include <vector>

namespace vqscope {

/// Samples of a mean where several curves of a set swing and cross so often that they cover each
/// other; 0: they can be told apart as they are.
std::size_t samplesOfMeans(const CurveSet& set);

/// The mean over so many samples around each, fewer at the ends; gaps have no part in it.
std::vector<double> movingMeans(const std::vector<double>& y, std::size_t samples);

}  // namespace vqscope
