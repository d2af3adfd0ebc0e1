// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

namespace vqscope {

/// Tokens per second in training whole models on 8 TPU v3 cores (Transformer-VQ, tables 6 to 9), or
/// with `speed_up` the ratio of VQ attention to full attention. `head_types`: some of shga, mqa,
/// mha; `reductions`: some of serial_scan (table 6), matmul (7), associative_scan (8), input_scan
/// (9). Leaves out what ran out of memory there.
Published published_throughput(bool speed_up, const std::vector<std::string>& head_types,
                               const std::vector<std::string>& reductions);

}  // namespace vqscope
