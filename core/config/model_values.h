// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Values of a model for methods, by the names of their parameters: RoPE of the full-attention
/// layers with what its rope_type reads, heads, buckets, window, table. Only what the config
/// determines.
ParameterValues model_values(const ConfigReport& report);

}  // namespace vqscope
