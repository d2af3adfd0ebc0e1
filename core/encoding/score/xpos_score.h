// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `xpos_score`: [q_length, kv_length] float32, Σ cos(n θ_i) ζ_i^(n / scale_base) with n = q - k, ζ_i = (2i + 0.4 d) /
/// (1.4 d), θ_i = rope_theta^(-2i / d), i below d / 2 (Sun et al. 2023, section 2.2). q · k / 2 for q = k = ones, in
/// the unit of `rope_score_field`. Queries are scaled by ζ^(q / scale_base), keys by its inverse: ahead of the query
/// that grows without bound, and the cells have no value.
Method xpos_score_method();

}  // namespace vqscope
