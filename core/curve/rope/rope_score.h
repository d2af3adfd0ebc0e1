// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace vqscope {

/// B(r) = Σ cos(r · rate): the score of a token with itself r positions on, as RoPE alone decides it. It depends on
/// the difference of positions only. The definition.
double rope_score(std::span<const Turns> rates, Index distance);

/// B of each of `distances`, whole numbers in any order, within 1e-12 of rope_score for 64 pairs. Where neighbours are
/// evenly spaced, one apart or not, each costs a complex product a pair rather than a cosine. Stopped: fewer.
std::vector<double> rope_scores(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop);

/// Smallest r of [0, end) with B(r) < 0. Stretches over which no sum of minima reaches 0 are skipped whole.
std::optional<Index> first_negative(std::span<const Turns> rates, Index end, const std::stop_token& stop);

}  // namespace vqscope
