// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Description of layer `number`: "sliding, window 1024; RoPE of sliding_attention; 4 key-value heads of 256".
std::string layer_text(const ConfigReport& report, std::size_t number);

/// A line for each kind of layer, with the numbers of its layers; empty if the layers are not known.
std::string schedule_text(const ConfigReport& report);

/// The cache of the layers for the longest sequence, and which layers read a selection; empty if unknown.
std::string cache_text(const ConfigReport& report);

}  // namespace vqscope
