// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/steps/stepped_turns.h"

#include <vector>

namespace vqscope {

/// A whole number that, added to the steps, makes positions that fit the phases, and the
/// frequencies as measured under it.
struct BasePosition {
  Index position = 0;  ///< of step 0
  std::vector<double> frequency;
  std::vector<double> frequency_variance;
  double misfit = 0;  ///< Σ over pairs, in standard deviations: of slopes against phases
};

/// The likely ones, likeliest first; no position is below 0. The first position is 0 wherever that
/// fits.
std::vector<BasePosition> base_positions(const SteppedTurns& turns);

}  // namespace vqscope
