// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/machine.h"
#include "core/method/training/training_watch.h"

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

  std::optional<double> secondsLeft() const;

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

/// "34 %, about 5 min left" on stderr, on terminals and for long work only; erased at the end. While
/// models train, how they do; while they are tested, how many tests are done. Elsewhere one sentence, after ten
/// seconds: what all of it takes.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(double fraction);
  /// Any thread.
  void showTraining(TrainingProgress progress);
  /// What has been done of all, shown while no model trains; on the thread of show().
  void setPhase(const std::string& words) { m_phase = words; }

 private:
  void printEstimate();

  Clock m_clock;
  double m_next = 0;  ///< next update, in seconds after the start
  bool m_terminal = false;
  bool m_shown = false;
  bool m_estimated = false;
  WorkEstimate m_estimate;
  TrainingWatch m_trainings;
  std::string m_phase;
};

}  // namespace vqscope
