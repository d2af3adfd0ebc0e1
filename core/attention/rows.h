// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Turns the scores of a row into weights, all 0 if no key is visible. Returns the logarithm of the
/// sum of exponentials, -infinity in that case.
double soften(float* scores, Index count);

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
