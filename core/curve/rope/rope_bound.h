// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"

#include <span>
#include <stop_token>
#include <vector>

namespace vqscope {

/// U(r) = 1/n Σ_{j=1..n} |Σ_{i<j} e^(i r · rate)| over n pairs (Su et al. 2021, section 3.4.3): by Abel's summation no
/// score at distance r exceeds n U(r) times the largest difference of neighbouring pairs' products. U(0) = (n + 1) / 2.
double rope_bound(std::span<const Turns> rates, Index distance);

/// U of each of `distances`, whole numbers, within 1e-11 of rope_bound for 64 pairs. Stopped: fewer.
std::vector<double> rope_bounds(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop);

}  // namespace vqscope
