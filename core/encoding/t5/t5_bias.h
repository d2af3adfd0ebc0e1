// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

namespace vqscope {

/// The value of each bucket [num_heads][num_buckets].
Result<std::vector<std::vector<double>>> t5_bias_table(const ParameterValues& values);

/// Parameters of t5_bias beside the lengths.
std::vector<ParameterSpec> t5_bias_own_parameters();

}  // namespace vqscope
