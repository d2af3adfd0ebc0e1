// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/curve_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {

std::vector<double> integer_axis(Index first, Index last, Index points, bool logarithmic) {
  assert(first <= last && points >= 2 && (!logarithmic || first > 0));
  std::vector<double> axis;
  if (last - first < points) {
    for (Index x = first; x <= last; ++x) axis.push_back(static_cast<double>(x));
    return axis;
  }
  const double low = static_cast<double>(first);
  const double high = static_cast<double>(last);
  for (Index i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    const double x = std::round(logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share);
    if (axis.empty() || x > axis.back()) axis.push_back(x);
  }
  axis.back() = high;
  return axis;
}

}  // namespace vqscope
