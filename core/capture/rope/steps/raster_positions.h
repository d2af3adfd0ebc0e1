// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/steps/section_steps.h"
#include "core/capture/rope/steps/stepped_turns.h"

#include <optional>
#include <span>

namespace vqscope {

/// Under M-RoPE (Qwen2-VL): text, and images whose rows of patches follow each other, all rows together. Where a
/// row's turns are too noisy to tell its column of the image, thousands of rows tell the grid. `turn_of_step` are those
/// of text by pair. Nothing where the rows begin with an image, or what stands between text is no grid.
std::optional<SteppedTurns> with_rasters(const PhaseTable& phases, std::span<const double> turn_of_step,
                                         double rounding);

}  // namespace vqscope
