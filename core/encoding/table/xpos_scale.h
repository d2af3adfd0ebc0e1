// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// ζ_i of pair i of a head of d dimensions.
double xpos_zeta(Index pair, Index d);

}  // namespace vqscope
