// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <cstdint>

namespace vqscope {

/// Entry [position, dimension] of a table of standard normal numbers that is never stored: a function of the seed and
/// the place alone, the same for every size of the table.
double drawn_normal(std::uint64_t seed, Index position, Index dimension);

/// `learned_absolute`: [q_length, d_model] float32, rows of a table [max_position_embeddings, d_model] as it is drawn
/// before training (Gehring et al. 2017; Devlin et al. 2019). A position that the table has no row for is an error.
Method learned_absolute_method();

}  // namespace vqscope
