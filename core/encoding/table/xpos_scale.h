// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `xpos_scale`: [q_length, head_dim / 2] float32, what xPos multiplies pair i of a rotated query by, ζ_i^(p /
/// scale_base), or of a key, its inverse; ζ_i = (2i + 0.4 d) / (1.4 d) (Sun et al. 2023, section 2.2). The exponent's p
/// is the position, or, as torchscale has it, the position less half the sequence. Exact for any length: sums over a
/// run of positions are geometric. Beyond float32 a cell is infinite or 0, as a model's would be.
Method xpos_scale_method();

/// ζ_i of pair i of a head of d dimensions.
double xpos_zeta(Index pair, Index d);

}  // namespace vqscope
