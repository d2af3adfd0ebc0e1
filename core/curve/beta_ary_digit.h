// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// rope_theta of the NTK-aware scaling by s: b · s^(d/(d−2)); d is above 2.
double ntk_base(double rope_theta, Index rotary_dim, double factor);

}  // namespace vqscope
