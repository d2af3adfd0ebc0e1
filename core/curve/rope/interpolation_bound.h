// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// d · max|h| / (32 ln b) (Chen et al. 2023, theorem 2.1, at its middle): between two whole positions a score differs
/// from the line between its values there by no more. max|h| is the largest product of a pair of q and k.
double interpolation_bound(Index rotary_dim, double base, double max_h);

/// `interpolation_bound`: it against rope_theta.
Method interpolation_bound_method();

}  // namespace vqscope
