// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/shared/number_type.h"

#include <vector>

namespace vqscope {

/// first, first + 1, … as rounded to a type.
struct CastPositions {
  const NumberType* type = nullptr;
  Index first = 0;
};

/// Rounded positions: `base` is that of step 0.
struct CastBase {
  Index base = 0;
  CastPositions before;
};

/// How positions and frequencies were read from turns without knowing any formula of frequencies:
/// most neighbouring rows are one position apart, which gives each pair's frequency; every row is
/// then a whole number of steps from a row of reference.
struct SteppedTurns {
  std::vector<std::vector<Index>> steps;  ///< of each row, relative to one of them; three lists under M-RoPE
  std::vector<int> axis;                  ///< of each pair: its list
  std::vector<double> frequency;          ///< radians a step, by pair
  std::vector<double> frequency_variance;
  std::vector<double> mean_step;  ///< of the rows, by pair: `phase` belongs to it
  std::vector<double> phase;      ///< of the mean step, by pair
  std::vector<double> phase_variance;
  double rounding = 0;          ///< added error of a phase, that of rounded tables
  double share = 0;             ///< of the rows that fit
  std::vector<CastBase> casts;  ///< those that make such steps, where positions are taken to be rounded
};

/// Errors of a phase from tables of cos and sin in float16 and in bfloat16.
inline constexpr double float16_table_error = 2e-4;
inline constexpr double bfloat16_table_error = 1.6e-3;

}  // namespace vqscope
