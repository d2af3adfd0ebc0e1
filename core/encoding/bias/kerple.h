// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `kerple_log`: [q_length, kv_length] float32, -r1 ln(1 + r2 (q - k)) (Chi et al. 2022, section 4).
/// `kerple_power`: -r1 (q - k)^r2, r2 at most 2.
///
/// The code keeps r1 and r2 at 0.01 or more, which are the ranges here, and takes keys ahead of the query for distance
/// 0, so their bias is 0.
Method kerple_log_method();
Method kerple_power_method();

/// The biases at a distance of 0 or more.
double kerple_log(double r1, double r2, double distance);
double kerple_power(double r1, double r2, double distance);

}  // namespace vqscope
