// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/catalogue/experiment_presets.h"

namespace vqscope {

/// Where a preset was given and no method, the preset's.
Result<void> nameExperiment(MethodArguments& arguments);

/// The values of the preset, where one was given. Refuses one of another method.
Result<void> applyPreset(const std::optional<std::string>& preset, const Method& method, ParameterValues& values);

}  // namespace vqscope
