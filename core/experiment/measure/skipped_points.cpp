// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/skipped_points.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

void SkippedPoints::add(const std::string& curve, double x, Skipped skipped) {
  if (skipped == Skipped::no || std::ranges::count(m_points, curve, &Point::curve) > 0) return;
  m_points.push_back({curve, x, skipped});
}

void SkippedPoints::mark(CurveSet& set) const {
  std::ptrdiff_t lines = 0;
  for (std::size_t c = 0; c < set.curves.size(); ++c)
    if (!set.is_edge(c)) ++lines;
  for (const double x : set.x)
    for (const Skipped limit : {Skipped::time, Skipped::memory}) {
      std::vector<std::string> names;
      for (const Point& point : m_points)
        if (point.x == x && point.skipped == limit) names.push_back(point.curve);
      if (names.empty()) continue;
      // A label is short: it has to fit beside its line. The facts name every curve.
      const std::string who = std::ssize(names) == lines && lines > 1 ? "all curves"
                              : names.size() > 2                      ? fmt::format("{} curves", names.size())
                                                                      : join(names, ", ");
      set.marks.push_back({x, fmt::format("{} skipped: above {}", who, limit == Skipped::time ? m_seconds : m_memory)});
    }
  for (const Point& point : m_points) set.facts.emplace_back(point.curve + "_skipped_from", point.x);
}

}  // namespace vqscope
