// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/method/parameter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stop_token>
#include <string>

namespace vqscope {

/// Lives while time is measured: two measurements at once would take it from each other. Who waits for another hears a
/// stop.
class MeasuringAlone {
 public:
  explicit MeasuringAlone(const std::stop_token& stop);
  MeasuringAlone(const MeasuringAlone&) = delete;
  MeasuringAlone& operator=(const MeasuringAlone&) = delete;
  ~MeasuringAlone();

 private:
  bool m_alone = false;  ///< false: stopped before
};

/// Seconds of a call: the best of three, or of fewer where they take long.
template <class Call>
double seconds_of(const Work& work, const Call& call) {
  constexpr double enough = 0.05;
  const MeasuringAlone alone(work.stop);
  double best = std::numeric_limits<double>::infinity();
  double all = 0;
  for (int i = 0; i < 3 && all < enough && !work.stop.stop_requested(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
    all += taken.count();
  }
  return best;
}

/// Seconds of one computation at rising lengths, which grow like length^power. What can be expected to take longer than
/// `most` is left out: NaN.
class RisingTimes {
 public:
  RisingTimes(double power, double most) : m_power(power), m_most(most) {}

  template <class Call>
  double at(Index length, const Work& work, const Call& call) {
    const auto tokens = static_cast<double>(length);
    if (m_length > 0 && m_seconds * std::pow(tokens / m_length, m_power) > m_most)
      return std::numeric_limits<double>::quiet_NaN();
    m_seconds = seconds_of(work, call);
    m_length = tokens;
    return m_seconds;
  }

 private:
  double m_power;
  double m_most;
  double m_length = 0;  ///< that was measured last
  double m_seconds = 0;
};

/// `threads`: that attention is computed on while its time is measured.
ParameterSpec threads_parameter();

/// "Xeon Gold 6248, kernels avx2, 2 cores, 1 thread": what measured times depend on.
std::string machine_text(Index threads);

}  // namespace vqscope
