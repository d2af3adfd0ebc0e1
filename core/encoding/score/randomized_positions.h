// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// `count` of the positions 0, ..., noise_max_length - 1 in ascending order, every choice equally likely (Ruoss et al.
/// 2023, section 3). count must be from 1 to noise_max_length.
std::vector<Index> drawn_positions(Index count, Index noise_max_length, std::uint64_t seed);

/// `randomized_positions`: [q_length, q_length] float32, a relative encoding's f(p_k - p_q) with drawn positions p, the
/// same of queries and keys. The encoding brings its own parameters along.
Method randomized_positions_method();

/// `randomized_position_curve`: the drawn position against the token, beside the position that it has otherwise.
Method randomized_position_curve_method();

}  // namespace vqscope
