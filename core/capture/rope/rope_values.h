// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/which_rope.h"
#include "core/method/parameter.h"

namespace vqscope {

/// What rope_phase and its like take to turn as the tensors do. Frequencies of no formula become
/// longrope's lists, those of `proportional` a theta over the columns that turn. What the tensors do
/// not fix stays at its default; where they fit two types alike, there is an error.
Result<ParameterValues> rope_values(const WhichRope& rope);

}  // namespace vqscope
