// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/steps/section_steps.h"
#include "core/capture/rope/steps/stepped_turns.h"

#include <span>
#include <vector>

namespace vqscope {

/// Mean square, in standard deviations, up to which a row fits a step.
inline constexpr double fitting = 6;
/// The same, up to which two rows turn alike.
inline constexpr double alike = 3;

/// Square of what a turn leaves of the difference between two rows, in standard deviations.
inline double square_between(const PhaseTable& phases, Index from, Index to, Index pair, double turn) {
  const double left = wrapped_angle(phases.phase(to, pair) - phases.phase(from, pair) - turn);
  return left * left / (phases.variance(to, pair) + phases.variance(from, pair));
}

/// Square of what a step leaves of a row's phase by what was read of the pair, in standard deviations.
inline double square_left(const PhaseTable& phases, const SteppedTurns& reading, Index row, Index pair, Index step) {
  const auto k = static_cast<std::size_t>(pair);
  const double turn = reading.phase[k] + (static_cast<double>(step) - reading.mean_step[k]) * reading.frequency[k];
  const double left = wrapped_angle(phases.phase(row, pair) - turn);
  return left * left / phases.variance(row, pair);
}

/// Of each row but the last, whether the next one turns as it does.
std::vector<bool> standing_rows(const PhaseTable& phases);

/// Whether a row is one such step from the row before it.
bool follows(const PhaseTable& phases, std::span<const double> turn_of_step, Index row);

/// Frequencies as guessed, of pairs of one axis; steps are not known yet.
SteppedTurns begun(const PhaseTable& phases, std::span<const double> frequency, double rounding);

/// Slopes of the phases over the steps, with what was left of the first guess of the frequencies. Rows
/// that do not fit are left out; two must.
void refine(SteppedTurns& found, const PhaseTable& phases, const std::vector<bool>& fits);

/// Sets the share of rows that fit their steps, and refines by those.
void refine_by_fitting_rows(SteppedTurns& found, const PhaseTable& phases);

}  // namespace vqscope
