// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `t5_bias_heads`: [num_heads, buckets or distances] float32, the table of relative_attention_bias of all heads.
Method t5_bias_heads_method();

}  // namespace vqscope
