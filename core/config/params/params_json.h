// SPDX-License-Identifier: GPL-3.0-or-later
// params.json, in which Mistral and Meta publish models beside their own weights.
#pragma once

#include "core/base/result.h"
#include "core/config/report/config_report.h"

namespace vqscope {

/// Whether an object is a params.json: dim and n_layers, and no key of a config.json.
bool is_params_json(const ConfigValue& root);

/// Reads it, with findings that name its own keys.
Result<ConfigReport> examine_params_json(const ConfigValue& root);

}  // namespace vqscope
