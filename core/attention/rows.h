// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <limits>

namespace vqscope {

/// Turns the scores of a row into weights, all 0 if no key is visible. Returns the logarithm of the
/// sum of exponentials, -infinity in that case. `sink` is the logit of a learned sink, whose
/// exponential is in the sum; -infinity: none.
double soften(float* scores, Index count, float sink = -std::numeric_limits<float>::infinity());

/// Squared distance of two rows of n numbers.
inline double squared_distance(const float* a, const float* b, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace vqscope
