// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// The limit for which a measurement was skipped.
enum class Skipped : std::uint8_t { no, time, memory };

/// Spread of several measurements of one quantity. NaN: skipped.
struct Spread {
  double median = no_value;
  double least = no_value;
  double greatest = no_value;
  Skipped skipped = Skipped::no;
};

/// For an even number of values, the median is the mean of the two middle ones.
Spread spread_of(std::vector<double> values);
/// `amount` divided by each value, such as tokens per second; increases as the measured value
/// falls.
Spread amount_by(double amount, const Spread& measured);
Spread scaled(const Spread& spread, double factor);
/// The widest range of the ratio: from least / greatest to greatest / least.
Spread ratio_of(const Spread& above, const Spread& below);

/// Gives every curve of the set a band of two more curves, which come after all of them.
void add_spread_curves(CurveSet& set);
/// Adds the median to the curve, and least and greatest to its band if it has one.
void add_spread(CurveSet& set, std::size_t curve, const Spread& spread);

/// Marks each x at which a curve begins to have no value, with the curves and the reason: a skipped
/// measurement is then distinguishable from one out of view.
void mark_skipped(CurveSet& set, const std::string& reason);

/// `repeats`: how many times each time is measured.
ParameterSpec repeats_parameter();

/// `most_seconds`: the limit of a measurement's expected time.
ParameterSpec most_seconds_parameter();

/// Held while time is measured, because simultaneous measurements would slow each other down.
/// Waiting for another measurement can be stopped.
class MeasuringAlone {
 public:
  explicit MeasuringAlone(const std::stop_token& stop);
  MeasuringAlone(const MeasuringAlone&) = delete;
  MeasuringAlone& operator=(const MeasuringAlone&) = delete;
  ~MeasuringAlone();

 private:
  bool m_alone = false;  ///< false: stopped while waiting
};

/// Seconds of a call, measured `repeats` times. A call of a few milliseconds is first made once to
/// warm up memory and caches.
template <class Call>
Spread seconds_of(const Work& work, Index repeats, const Call& call) {
  constexpr double is_short = 0.01;
  const MeasuringAlone alone(work.stop);
  const auto measured = [&] {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<double> seconds{measured()};
  if (seconds.front() < is_short) seconds.clear();
  while (static_cast<Index>(seconds.size()) < repeats && !work.stop.stop_requested()) seconds.push_back(measured());
  return spread_of(std::move(seconds));
}

/// Seconds of one computation at increasing lengths, which grow like length^power. Lengths expected
/// to take longer than `most` per call are skipped: NaN.
class RisingTimes {
 public:
  RisingTimes(double power, double most, Index repeats) : m_power(power), m_most(most), m_repeats(repeats) {}

  template <class Call>
  Spread at(Index length, const Work& work, const Call& call) {
    const auto tokens = static_cast<double>(length);
    if (m_length > 0 && m_seconds * std::pow(tokens / m_length, m_power) > m_most) return {.skipped = Skipped::time};
    const Spread seconds = seconds_of(work, m_repeats, call);
    m_seconds = seconds.median;
    m_length = tokens;
    return seconds;
  }

 private:
  double m_power;
  double m_most;
  Index m_repeats;
  double m_length = 0;  ///< last measured length
  double m_seconds = 0;
};

/// `threads`: number of threads on which attention is computed while its time is measured.
ParameterSpec threads_parameter();

/// "Xeon Gold 6248, kernels avx2, 2 cores, 1 thread": what measured times depend on.
std::string machine_text(Index threads);

}  // namespace vqscope
