// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace vqscope {

struct CurveSet;
struct TrainingProgress;

/// Progress callbacks and stop token of a long computation. If stopped, it returns cancelled().
struct Work {
  std::function<void(double fraction)> progress;  ///< 0 to 1, on the worker's thread; may be empty
  std::stop_token stop;
  /// Curves as far as they are known, the same x throughout; what is to come is missing at their
  /// ends or NaN. On the worker's thread.
  std::function<void(const CurveSet&)> partial = {};
  /// Called after every step of a training, on the thread that trains; several trainings may go on
  /// at a time.
  std::function<void(const TrainingProgress&)> trained = {};
  /// What has been done of all, in a few words with numbers, on the thread of the progress.
  std::function<void(const std::string&)> phase = {};

  void report(double fraction) const {
    if (progress) progress(fraction);
  }
};

/// Work whose progress is the part from `begin` to `begin + fraction` of all; its curves are not
/// those of the whole. `work` must outlive it.
inline Work part_of(const Work& work, double begin, double fraction) {
  return {.progress = [&work, begin, fraction](double done) { work.report(begin + fraction * done); },
          .stop = work.stop,
          .partial = {},
          .trained = work.trained,
          .phase = work.phase};
}

}  // namespace vqscope
