// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/config/report/config_report.h"

#include <string_view>

namespace vqscope {

/// Reads a config.json. A text that is not a JSON object, or has no key of a model's config, is an
/// error of one sentence; any other mistake is a finding.
Result<ConfigReport> read_model_config(std::string_view json);

/// The same for a value that was already read.
Result<ConfigReport> examine_model_config(const ConfigValue& root);

}  // namespace vqscope
