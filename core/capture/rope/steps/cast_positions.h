// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/steps/section_steps.h"
#include "core/capture/rope/steps/stepped_turns.h"

#include <vector>

namespace vqscope {

/// Readings by which positions first, first + 1, … were rounded to bfloat16 or float16, which hold all whole numbers
/// up to 256 and 2,048: rows beyond stand still until the next number of the type, and which rows do tells `first`, or
/// what it is apart from multiples of a step. Empty where few rows stand still, or others than a cast makes.
std::vector<SteppedTurns> with_cast_positions(const PhaseTable& phases, double rounding);

}  // namespace vqscope
