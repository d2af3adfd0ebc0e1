// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/compare/config_difference.h"
#include "core/config/report/config_report.h"

namespace vqscope {

/// Differences of the RoPE of some layers; `layers` is for the facts' names.
void add_rope_differences(const RopeUse& a, const RopeUse& b, const std::string& layers,
                          std::vector<ConfigDifference>& all);

}  // namespace vqscope
