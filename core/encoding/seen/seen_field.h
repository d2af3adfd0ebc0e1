// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `rope_phase_seen`: [q_length, pairs] int32, 0 where the pair's angle at the query's position occurred in training
/// and 1 where it is new. Summaries are exact at every length.
Method rope_phase_seen_method();

/// `rope_new_angles`: for each pair the first position with a new angle, or the share of positions that have one.
Method rope_new_angles_method();

}  // namespace vqscope
