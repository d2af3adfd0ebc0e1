// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/work_estimate.h"
#include "core/method/training/training_watch.h"

#include "core/base/machine.h"

namespace vqscope {

/// "34 % of about 5 min" on stderr, on terminals and for long work only; erased at the end. While models train, how
/// they do. Elsewhere one sentence, after ten seconds: what all of it takes.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(double fraction);
  /// Any thread.
  void showTraining(TrainingProgress progress);

 private:
  void printEstimate();

  Clock m_clock;
  double m_next = 0;  ///< next update, in seconds after the start
  bool m_terminal = false;
  bool m_shown = false;
  bool m_estimated = false;
  WorkEstimate m_estimate;
  TrainingWatch m_trainings;
};

}  // namespace vqscope
