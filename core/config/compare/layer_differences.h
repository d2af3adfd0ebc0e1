// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/compare/config_difference.h"
#include "core/config/report/config_report.h"

namespace vqscope {

/// Bytes of the keys and values of one token in all layers together, with 16-bit numbers; 0: not known.
Index cache_bytes_of_token(const LayerSchedule& schedule);

/// Differences of layers: number, windows, kinds, layers without RoPE, sinks, temperatures, heads and the cache.
void add_layer_differences(const ConfigReport& a, const ConfigReport& b, std::vector<ConfigDifference>& all);

}  // namespace vqscope
