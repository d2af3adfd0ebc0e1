// SPDX-License-Identifier: GPL-3.0-or-later
// The points of a sweep, carried out one after the other or several at a time.
#pragma once

#include "core/run/sweep_folder.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

enum class PointState {
  waiting,   ///< not begun, or stopped
  running,   ///< with a fraction
  found,     ///< finished before: the folder has its run
  computed,  ///< now
  failed,    ///< with a sentence
};

struct PointReport {
  Index point = 0;
  PointState state = PointState::waiting;
  double fraction = 0;   ///< of a point that is running, 0 to 1
  double seconds = 0;    ///< of one that is found or computed
  std::string sentence;  ///< of one that has failed
};

struct SweepRun {
  std::string folder;  ///< that begin_sweep has begun
  std::vector<Index> points;
  Index jobs = 1;        ///< points at a time
  bool goes_on = false;  ///< after a point that has failed
  std::string version;   ///< of the program
  std::stop_token stop;
  std::function<void(const PointReport&)> tell;  ///< on the threads of the points
};

/// Computes the points whose runs are not in the folder. The first error ends it and is returned; where it goes on, a
/// stop alone does, as cancelled().
Result<void> carry_out_points(const Sweep& sweep, const SweepRun& run);

}  // namespace vqscope
