// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// rope_theta of the NTK-aware scaling by s: b · s^(d/(d−2)); d is above 2.
double ntk_base(double rope_theta, Index rotary_dim, double factor);

/// `beta_ary_digit`: digits of positions in base β against position, and what linear scaling and the NTK base make of
/// them (Su, 2023).
Method beta_ary_digit_method();

}  // namespace vqscope
