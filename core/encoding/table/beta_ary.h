// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `beta_ary`: [q_length, head_dim / 2] float32, the digits of a position in base β, lowest first: column m - 1 is
/// floor(position / β^(m-1)) mod β, where RoPE has its pair m - 1; β = rope_theta^(2 / head_dim), or as given (Su,
/// 2023).
Method beta_ary_method();

}  // namespace vqscope
