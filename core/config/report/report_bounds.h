// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Cuts the lists of a report, whose lengths a file decides, so that as JSON they take at most about a megabyte. Lists
/// of published models stay whole. Returns a sentence for each kind of list that was cut.
std::vector<std::string> shorten_lists(ConfigReport& report);

}  // namespace vqscope
