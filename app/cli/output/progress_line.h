// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/training/training_watch.h"

#include <QElapsedTimer>

namespace vqscope {

/// "34 %" on stderr, on terminals and for long work only; erased at the end. While models train, how they do.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(double fraction);
  /// Any thread.
  void tell(TrainingNews news);

 private:
  QElapsedTimer m_clock;
  qint64 m_next = 0;  ///< next update, in milliseconds after the start
  bool m_terminal = false;
  bool m_shown = false;
  TrainingWatch m_trainings;
};

}  // namespace vqscope
