// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/measure/measured_time.h"

#include <string>
#include <vector>

namespace vqscope {

/// Where curves begin to have no measured point, and which limit ended them.
class SkippedPoints {
 public:
  /// The limits as a label states them: "2 s", "1 GiB".
  SkippedPoints(std::string seconds, std::string memory) : m_seconds(std::move(seconds)), m_memory(std::move(memory)) {}

  /// Notes a point of a curve unless it was measured. The points of a curve come in order.
  void add(const std::string& curve, double x, Skipped skipped);

  /// Marks each x at which curves end, with their names and the limit, and adds the fact
  /// NAME_skipped_from of each curve: an x.
  void mark(CurveSet& set) const;

 private:
  struct Point {
    std::string curve;
    double x = 0;
    Skipped skipped = Skipped::no;
  };

  std::string m_seconds, m_memory;
  std::vector<Point> m_points;  ///< the first of each curve
};

}  // namespace vqscope
