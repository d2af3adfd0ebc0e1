// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `sandwich`: [q_length, kv_length] float32, 1 / ratio · Σ cos((q - k) · 10000^(-2i / sandwich_dim)), i below
/// sandwich_dim / 2, with ratio = 8 (head + 1) / num_heads (Chi et al. 2023, section 4 and appendix E). Even in q - k:
/// keys ahead of the query have the same bias.
Method sandwich_method();

}  // namespace vqscope
