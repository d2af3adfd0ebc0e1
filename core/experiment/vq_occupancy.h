// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Of `codes`, how many `draws` of codes that are all alike are expected to give at least once.
double expected_occupied(Index codes, Index draws);

/// `vq_occupancy`: how many keys have each code, the most frequent first.
Method vq_occupancy_method();

}  // namespace vqscope
