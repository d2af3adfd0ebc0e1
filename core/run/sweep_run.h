// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the points of a sweep, one after the other or several at a time.
#pragma once

#include "core/run/sweep_folder.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

enum class PointState {
  waiting,   ///< not started, or stopped
  running,   ///< with a fraction
  found,     ///< finished earlier: the folder has its run
  computed,  ///< now
  failed,    ///< with a sentence
};

struct PointReport {
  Index point = 0;
  PointState state = PointState::waiting;
  double fraction = 0;   ///< of a running point, 0 to 1
  double seconds = 0;    ///< of a found or computed point
  std::string sentence;  ///< of a failed point
};

struct SweepRun {
  std::string folder;  ///< created by begin_sweep
  std::vector<Index> points;
  Index jobs = 1;                    ///< points at a time
  bool continue_on_failure = false;  ///< continue after a failed point
  std::string version;               ///< of the program
  std::stop_token stop;
  std::function<void(const PointReport&)> notify;  ///< called on the threads of the points
};

/// Computes the points whose runs are not in the folder. The first error ends it and is returned;
/// with `continue_on_failure`, only a stop ends it, as cancelled().
Result<void> carry_out_points(const Sweep& sweep, const SweepRun& run);

}  // namespace vqscope
