// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/curve_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

namespace vqscope {

bool CurveSet::is_edge(std::size_t curve) const {
  return std::ranges::any_of(bands,
                             [&](const CurveBand& band) { return band.least == curve || band.greatest == curve; });
}

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
    const double fraction = static_cast<double>(i) / static_cast<double>(points - 1);
    const double x = std::round(logarithmic ? low * std::pow(high / low, fraction) : low + (high - low) * fraction);
    if (axis.empty() || x > axis.back()) axis.push_back(x);
  }
  axis.back() = high;
  return axis;
}

std::vector<double> mixed_axis(Index first, Index last, Index points) {
  assert(first >= 0 && points >= 2);
  if (last - first < points || points < 8) return integer_axis(first, last, points, false);
  const Index half = points / 2;
  const auto even = integer_axis(first, last, points - half, false);
  const auto spread = integer_axis(std::max<Index>(first, 1), last, half, true);
  std::vector<double> axis;
  std::ranges::set_union(even, spread, std::back_inserter(axis));
  return axis;
}

std::vector<std::optional<std::size_t>> coincident_curves(const CurveSet& set) {
  constexpr double visible = 1e-4;  // of the plot's height: far below a pixel
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : set.curves)
    for (const double y : curve.y)
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  const auto same = [&](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    // On a log axis what counts is the ratio.
    return std::abs(a - b) <= visible * std::min(high - low, std::max(std::abs(a), std::abs(b)));
  };
  const auto is_line = [&](std::size_t i) {
    return !set.is_edge(i) && std::ranges::any_of(set.curves[i].y, [](double y) { return std::isfinite(y); });
  };
  std::vector<std::optional<std::size_t>> earlier(set.curves.size());
  for (std::size_t i = 0; i < set.curves.size(); ++i)
    for (std::size_t j = 0; j < i && !earlier[i] && is_line(i); ++j)
      if (!earlier[j] && is_line(j) && std::ranges::equal(set.curves[i].y, set.curves[j].y, same)) earlier[i] = j;
  return earlier;
}

}  // namespace vqscope
