// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/steps/measured_turns.h"
#include "core/capture/rope/steps/stepped_turns.h"

#include <vector>

namespace vqscope {

/// The reading that fits most rows, then those that take tables of cos and sin to be rounded to
/// float16 and to bfloat16. Empty where no two rows turn differently.
std::vector<SteppedTurns> stepped(const MeasuredTurns& turns);

}  // namespace vqscope
