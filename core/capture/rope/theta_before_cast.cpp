// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/theta_before_cast.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vqscope {

std::optional<double> theta_before_cast(std::span<const double> frequency, std::span<const double> variance,
                                        const NumberType& cast, double dims) {
  struct End {
    double log_theta = 0;
    int opens = 0;  ///< 1: from here on one more allows it, -1: one less
  };
  std::vector<End> ends;
  for (std::size_t k = 1; k < frequency.size(); ++k) {
    if (frequency[k] <= 0) continue;
    const double half_step = std::ldexp(1.0, std::max(std::ilogb(frequency[k]), cast.least_exponent) - cast.digits);
    const double error = half_step + 3 * std::sqrt(variance[k]);
    if (error >= frequency[k]) continue;
    const double exponent = dims / (2 * static_cast<double>(k));
    ends.push_back({-std::log(frequency[k] + error) * exponent, 1});
    ends.push_back({-std::log(frequency[k] - error) * exponent, -1});
  }
  std::ranges::sort(ends, {}, &End::log_theta);
  int open = 0, most = 1;
  std::optional<double> theta;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    open += ends[i].opens;
    if (open > most) most = open, theta = std::exp((ends[i].log_theta + ends[i + 1].log_theta) / 2);
  }
  return theta;
}

}  // namespace vqscope
