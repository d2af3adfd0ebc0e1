// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/phase_slopes.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace vqscope {

std::vector<bool> standing_rows(const PhaseTable& phases) {
  // Largest square of a difference, in standard deviations: slow pairs are many.
  constexpr double farthest = 36;
  std::vector<bool> stands;
  for (Index row = 0; row + 1 < phases.rows; ++row) {
    double sum = 0, most = 0;
    for (Index pair = 0; pair < phases.pairs && most <= farthest; ++pair) {
      const double square = square_between(phases, row, row + 1, pair, 0);
      sum += square;
      most = std::max(most, square);
    }
    stands.push_back(most <= farthest && sum <= alike * static_cast<double>(phases.pairs));
  }
  return stands;
}

bool follows(const PhaseTable& phases, std::span<const double> turn_of_step, Index row) {
  double sum = 0;
  for (Index pair = 0; pair < phases.pairs; ++pair)
    sum += square_between(phases, row - 1, row, pair, turn_of_step[static_cast<std::size_t>(pair)]);
  return sum < alike * static_cast<double>(phases.pairs);
}

SteppedTurns begun(const PhaseTable& phases, std::span<const double> frequency, double rounding) {
  const auto pairs = static_cast<std::size_t>(phases.pairs);
  SteppedTurns found;
  found.axis.assign(pairs, 0);
  found.frequency.assign(frequency.begin(), frequency.end());
  for (auto* each : {&found.frequency_variance, &found.mean_step, &found.phase, &found.phase_variance})
    each->assign(pairs, 0.0);
  found.rounding = rounding;
  return found;
}

void refine(SteppedTurns& found, const PhaseTable& phases, const std::vector<bool>& fits) {
  for (Index pair = 0; pair < phases.pairs; ++pair) {
    const auto k = static_cast<std::size_t>(pair);
    const auto& steps = found.steps[static_cast<std::size_t>(found.axis[k])];
    double weights = 0, mean = 0;
    std::complex<double> turned;
    for (Index row = 0; row < phases.rows; ++row) {
      if (!fits[static_cast<std::size_t>(row)]) continue;
      const double w = 1 / phases.variance(row, pair);
      const auto step = static_cast<double>(steps[static_cast<std::size_t>(row)]);
      weights += w;
      mean += w * step;
      turned += std::polar(w, phases.phase(row, pair) - step * found.frequency[k]);
    }
    mean /= weights;
    const double at_zero = std::arg(turned);
    double squares = 0, slope = 0, offset = 0;
    for (Index row = 0; row < phases.rows; ++row) {
      if (!fits[static_cast<std::size_t>(row)]) continue;
      const double w = 1 / phases.variance(row, pair);
      const auto step = static_cast<double>(steps[static_cast<std::size_t>(row)]);
      const double left = wrapped_angle(phases.phase(row, pair) - step * found.frequency[k] - at_zero);
      squares += w * (step - mean) * (step - mean);
      slope += w * (step - mean) * left;
      offset += w * left;
    }
    squares = std::max(squares, 1e-300);
    found.frequency_variance[k] = 1 / squares;
    found.phase_variance[k] = 1 / weights;
    found.mean_step[k] = mean;
    found.phase[k] = wrapped_angle(at_zero + offset / weights + mean * found.frequency[k]);
    found.frequency[k] += slope / squares;
  }
}

void refine_by_fitting_rows(SteppedTurns& found, const PhaseTable& phases) {
  std::vector<bool> fits;
  for (Index row = 0; row < phases.rows; ++row) {
    double sum = 0;
    for (Index pair = 0; pair < phases.pairs; ++pair) {
      const auto& steps = found.steps[static_cast<std::size_t>(found.axis[static_cast<std::size_t>(pair)])];
      sum += square_left(phases, found, row, pair, steps[static_cast<std::size_t>(row)]);
    }
    fits.push_back(sum < fitting * static_cast<double>(phases.pairs));
  }
  const auto count = std::ranges::count(fits, true);
  found.share = static_cast<double>(count) / static_cast<double>(phases.rows);
  if (count >= 2) refine(found, phases, fits);
}

}  // namespace vqscope
