// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `t5_bias`: [q_length, kv_length] float32, the value of each cell's T5 bucket for one head: what T5 adds to a score
/// that is not scaled. Values come from a table [num_buckets, num_heads], bucket by bucket as Hugging Face stores
/// relative_attention_bias, or [num_buckets] for the head shown; without one, drawn from the standard normal
/// distribution by seed, in that order. `bias_tensor` names a file that holds the table.
Method t5_bias_method();

/// The value of each bucket [num_heads][num_buckets].
Result<std::vector<std::vector<double>>> t5_bias_table(const ParameterValues& values);

/// Parameters of t5_bias beside the lengths.
std::vector<ParameterSpec> t5_bias_own_parameters();

}  // namespace vqscope
