// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/experiment/measure/head_throughput.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"

#include <vector>

namespace vqscope {

/// Lengths of the paper's tables below `last`, and `last` itself.
std::vector<double> table_lengths(Index last);

/// head_types, reductions, quantity; length_max; sizes of the paper's models; threads,
/// most_seconds, seed.
std::vector<ParameterSpec> vq_table_parameters();

/// Refuses a number of heads that does not divide d_v, and more numbers than memory should hold.
Result<void> check_vq_table(const ParameterValues& values);

/// The shape of one of head_types.
HeadShape table_shape(const ParameterValues& values, const std::string& head_type);

/// Memory is limited to half of this machine's.
ThroughputSetting table_setting(const ParameterValues& values);

/// Tokens per second in training whole models on 8 TPU v3 cores (Transformer-VQ, tables 6 to 9), or
/// with `speed_up` the ratio of VQ attention to full attention. `head_types`: some of shga, mqa,
/// mha; `reductions`: some of serial_scan (table 6), matmul (7), associative_scan (8), input_scan
/// (9). Leaves out what ran out of memory there.
Published published_throughput(bool speed_up, const std::vector<std::string>& head_types,
                               const std::vector<std::string>& reductions);

}  // namespace vqscope
