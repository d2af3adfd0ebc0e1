// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// d · max|h| / (32 ln b) (Chen et al. 2023, theorem 2.1, at its middle): between two whole positions a score differs
/// from the line between its values there by no more. max|h| is the largest product of a pair of q and k.
double interpolation_bound(Index rotary_dim, double base, double max_h);

/// 2 d max|h|, the least that the bound on a score at any distance can be (Chen et al. 2023, section 2.3, from Su et
/// al. 2021, section 3.4.3): 2 max|h| Σ_k |Σ_{j<k} e^(i s θ_j)|, whose sum is d or more.
double extrapolation_bound(Index rotary_dim, double max_h);

}  // namespace vqscope
