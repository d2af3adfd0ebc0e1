// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/which_rope.h"
#include "core/config/report/config_report.h"

#include <string>
#include <vector>

namespace vqscope {

/// What tensors show beside what a model's config says, one sentence each ("the tensors turn with
/// theta 10,000, the config says 500,000"); empty: they agree. Of several kinds of layers, the one
/// that is nearest is meant.
std::vector<std::string> differences_from_config(const WhichRope& rope, const ConfigReport& config);

}  // namespace vqscope
