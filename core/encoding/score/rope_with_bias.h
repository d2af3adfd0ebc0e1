// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `rope_with_bias`: [q_length, kv_length] float32, (q + a) · R(k - q) · (k + b) (Su 2023), where a and b have the same
/// number in every dimension. Content q = k = ones, or tokens drawn at random, over which all but a · R · b averages 0.
/// In the unit of `rope_score_field`: (1 + a)(1 + b) B, or a b B. Even in q - k.
Method rope_with_bias_method();

}  // namespace vqscope
