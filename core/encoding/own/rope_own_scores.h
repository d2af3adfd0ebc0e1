// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `rope_own_scores`: [q_length, kv_length] float32, (R_m (q + a)) · (R_n (k + b)) of given or sampled queries and keys
/// (Su et al. 2021, RoFormer, equations 16 and 34) under any rope_type, at positions of one's own.
Method rope_own_scores_method();

}  // namespace vqscope
