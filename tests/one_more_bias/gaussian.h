// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `gaussian`: [q_length, kv_length] float32, −d² / (2 · gaussian_width²) at distance d. No
/// paper's: the bias that tests add to the program.
Method gaussian_method();

}  // namespace vqscope
