// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `sinusoidal_shift`: [d_model, d_model] float32, the rotation M with PE(pos + shift) = M PE(pos) at every position
/// (Vaswani et al. 2017, section 3.5): a 2 x 2 block for each pair.
Method sinusoidal_shift_method();

}  // namespace vqscope
