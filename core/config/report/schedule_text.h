// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// What layer `number` is: "sliding, window 1024; RoPE of sliding_attention; 4 key-value heads of 256".
std::string layer_text(const ConfigReport& report, std::size_t number);

/// A line for each kind of layer, with the numbers of its layers; empty if the layers are not known.
std::string schedule_text(const ConfigReport& report);

/// What the layers keep of the longest sequence, and which of them read a selection; empty if the layers are not known.
std::string cache_text(const ConfigReport& report);

}  // namespace vqscope
