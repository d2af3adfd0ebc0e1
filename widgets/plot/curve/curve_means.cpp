// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/curve_means.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::size_t fewest = 600;  // samples that a plot shows one by one
constexpr std::size_t means = 40;    // beside each other
constexpr double often = 0.2;        // turns of a sample

/// How often the values turn from rising to falling, or back, a sample.
double turns(const std::vector<double>& y) {
  double turned = 0, last = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    const double step = y[i] - y[i - 1];
    if (step == 0 || !std::isfinite(step)) continue;
    turned += step * last < 0;
    last = step;
  }
  return y.empty() ? 0 : turned / static_cast<double>(y.size());
}

}  // namespace

std::size_t samplesOfMeans(const CurveSet& set) {
  if (set.x.size() < fewest || set.steps || set.labels || set.integer || !set.bands.empty()) return 0;
  const auto swinging = std::ranges::count_if(set.curves, [](const Curve& curve) { return turns(curve.y) > often; });
  return swinging >= 2 ? set.x.size() / means : 0;
}

std::vector<double> movingMeans(const std::vector<double>& y, std::size_t samples) {
  std::vector<double> sums{0}, counts{0};
  for (const double value : y) {
    const bool known = std::isfinite(value);
    sums.push_back(sums.back() + (known ? value : 0));
    counts.push_back(counts.back() + (known ? 1 : 0));
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < y.size(); ++i) {
    // At the beginning, where curves are steepest, as many samples after as before.
    const std::size_t half = std::min(samples / 2, i), end = std::min(i + half + 1, y.size()), begin = i - half;
    const double count = counts[end] - counts[begin];
    result.push_back(std::isfinite(y[i]) && count > 0 ? (sums[end] - sums[begin]) / count : no_value);
  }
  return result;
}

}  // namespace vqscope
