// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Expected number of distinct codes among `draws` samples of `codes` equally likely codes.
double expected_occupied(Index codes, Index draws);

/// `vq_occupancy`: number of keys with each code, most frequent first.
Method vq_occupancy_method();

}  // namespace vqscope
