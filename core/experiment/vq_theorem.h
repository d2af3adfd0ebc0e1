// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_theorem_2_2`: both sides of E (q·k - q·k̂)² = σ² E |k - k̂|² against the codebook size.
Method vq_theorem_2_2_method();

}  // namespace vqscope
