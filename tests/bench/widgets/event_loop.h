// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace vqscope::bench {

/// Runs the event loop, asleep between events as a window is, until `done`.
template <class Condition>
void runUntil(const Condition& done) {
  while (!done()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// Until a window that is not touched has nothing left to do.
template <class Condition>
void settle(const Condition& isBusy) {
  QCoreApplication::processEvents();
  while (isBusy()) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
}

/// The value below which `fraction` of them are; 0.5: the median.
inline double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace vqscope::bench
