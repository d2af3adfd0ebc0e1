// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Expected number of distinct codes among `draws` samples of `codes` equally likely codes.
double expected_occupied(Index codes, Index draws);

}  // namespace vqscope
