// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/position/turns.h"

#include <optional>
#include <span>
#include <stop_token>

namespace vqscope {

/// B(r) = Σ cos(r · rate): the score of a token with itself r positions on, as RoPE alone decides it. It depends on
/// the difference of positions only.
double rope_score(std::span<const Turns> rates, Index distance);

/// Smallest r of [0, end) with B(r) < 0. Stretches over which no sum of minima reaches 0 are skipped whole.
std::optional<Index> first_negative(std::span<const Turns> rates, Index end, const std::stop_token& stop);

}  // namespace vqscope
