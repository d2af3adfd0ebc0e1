// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/curve_means.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::size_t fewest = 600;  // samples that a plot shows one by one
constexpr std::size_t means = 40;    // beside each other
constexpr double often = 0.2;        // turns of a sample
constexpr double tangled = 0.05;     // crossings of a sample

/// How often a sequence of differences changes its sign, per sample; `difference` gives each.
template <class Difference>
double changes(std::size_t samples, const Difference& difference) {
  double changed = 0, last = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const double now = difference(i);
    if (now == 0 || !std::isfinite(now)) continue;
    changed += now * last < 0;
    last = now;
  }
  return samples == 0 ? 0 : changed / static_cast<double>(samples);
}

/// Whether the values turn from rising to falling and back.
bool swings(const std::vector<double>& y) {
  return y.size() > 1 && changes(y.size() - 1, [&](std::size_t i) { return y[i + 1] - y[i]; }) > often;
}

bool cross(const std::vector<double>& a, const std::vector<double>& b) {
  return changes(std::min(a.size(), b.size()), [&](std::size_t i) { return a[i] - b[i]; }) > tangled;
}

}  // namespace

std::size_t samplesOfMeans(const CurveSet& set) {
  if (set.x.size() < fewest || set.steps || set.labels || set.integer || !set.bands.empty()) return 0;
  std::vector<const Curve*> swinging;
  for (const Curve& curve : set.curves) {
    if (!swings(curve.y)) continue;
    for (const Curve* other : swinging)
      if (cross(curve.y, other->y)) return set.x.size() / means;
    swinging.push_back(&curve);
  }
  return 0;
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
