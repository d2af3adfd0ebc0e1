// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/measure/head_throughput.h"
#include "core/method/parameter.h"

namespace vqscope {

/// head_types, reductions, quantity; length_max; sizes of the paper's models; threads, most_seconds, seed.
std::vector<ParameterSpec> vq_table_parameters();

/// Refuses a number of heads that does not divide d_v, and more numbers than memory should hold.
Result<void> check_vq_table(const ParameterValues& values);

/// The shape of one of head_types.
HeadShape table_shape(const ParameterValues& values, const std::string& head_type);

/// Memory is limited to half of this machine's.
ThroughputSetting table_setting(const ParameterValues& values);

}  // namespace vqscope
