// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace vqscope {

/// How long work takes in all, from its progress.
class WorkEstimate {
 public:
  /// Work done at the first call is excluded, as when training resumes.
  void add(double fraction, double seconds);

  /// Nothing until there is enough progress.
  std::optional<double> secondsInAll() const;

  /// "3 % done after 10 s; all of it takes about 5 min; Ctrl+C stops it"
  std::optional<std::string> sentence() const;

 private:
  struct Point {
    double fraction = 0;
    double seconds = 0;
  };
  std::optional<Point> m_first;
  Point m_last;
};

}  // namespace vqscope
