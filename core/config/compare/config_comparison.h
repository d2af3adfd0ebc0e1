// SPDX-License-Identifier: GPL-3.0-or-later
// Two models' configs, compared by what they mean.
#pragma once

#include "core/config/compare/config_difference.h"
#include "core/config/report/config_report.h"

namespace vqscope {

/// The differences, the heaviest first.
std::vector<ConfigDifference> compare_configs(const ConfigReport& a, const ConfigReport& b);

/// Keeps the heaviest differences, up to a readable number; the sentences count the others.
std::vector<std::string> shorten_differences(std::vector<ConfigDifference>& differences);

/// The differences as lines of text, or a line that there are none.
std::string comparison_text(const std::string& a, const std::string& b,
                            const std::vector<ConfigDifference>& differences);

}  // namespace vqscope
