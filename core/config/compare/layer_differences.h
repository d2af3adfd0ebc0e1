// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/compare/config_comparison.h"

namespace vqscope {

/// Differences of layers: number, windows, kinds, layers without RoPE, sinks, temperatures, heads and the cache.
void add_layer_differences(const ConfigReport& a, const ConfigReport& b, std::vector<ConfigDifference>& all);

}  // namespace vqscope
