// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/profile/compared_curves.h"

#include <algorithm>
#include <string>

namespace vqscope {
namespace {

double value_at(const CurveSet& set, const Curve& curve, double x) {
  const auto after = std::ranges::lower_bound(set.x, x);
  const auto i = static_cast<std::size_t>(after - set.x.begin());
  if (after != set.x.end() && *after == x) return curve.y[i];
  if (i == 0 || after == set.x.end()) return no_value;
  if (set.steps) return curve.y[i - 1];
  const double part = (x - set.x[i - 1]) / (set.x[i] - set.x[i - 1]);
  return curve.y[i - 1] + part * (curve.y[i] - curve.y[i - 1]);
}

/// "A", "A max".
std::string name_of(const CurveSet& set, const Curve& curve, const std::string& side) {
  return set.curves.size() == 1 ? side : side + " " + curve.name;
}

void append(const CurveSet& from, const std::string& side, CurveSet& into) {
  const std::size_t first = into.curves.size();
  for (const Curve& curve : from.curves) {
    Curve whole{name_of(from, curve, side), {}};
    for (const double x : into.x) whole.y.push_back(value_at(from, curve, x));
    into.curves.push_back(std::move(whole));
  }
  for (const CurveBand& band : from.bands)
    into.bands.push_back({band.of + first, band.least + first, band.greatest + first});
}

}  // namespace

CurveSet curves_of_both(const CurveSet& a, const CurveSet& b) {
  CurveSet both = a;
  both.curves.clear();
  both.bands.clear();
  both.x.clear();
  std::ranges::set_union(a.x, b.x, std::back_inserter(both.x));
  both.exact = a.exact && b.exact;
  append(a, "A", both);
  append(b, "B", both);
  return both;
}

}  // namespace vqscope
