// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// `count` of the positions 0, ..., noise_max_length - 1 in ascending order, every choice equally likely (Ruoss et al.
/// 2023, section 3). count must be from 1 to noise_max_length.
std::vector<Index> drawn_positions(Index count, Index noise_max_length, std::uint64_t seed);

}  // namespace vqscope
