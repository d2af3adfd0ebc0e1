// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/which_rope.h"

#include <string>

namespace vqscope {

/// "RoPE of 64 half-split columns, default with theta 10,000, positions 17 to 80": all that is told.
std::string rope_sentence(const WhichRope& rope);

/// The answer as rope_parameters of a config.json, with theta, type and numbers that are told.
std::string rope_parameters_text(const WhichRope& rope);

}  // namespace vqscope
