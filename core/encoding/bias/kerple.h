// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

/// The biases at a distance of 0 or more.
double kerple_log(double r1, double r2, double distance);
double kerple_power(double r1, double r2, double distance);

}  // namespace vqscope
