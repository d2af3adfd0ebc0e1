// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/catalogue/experiment_presets.h"

#include <string>

namespace vqscope {

/// Sets the method of the preset if no method was given.
Result<void> nameExperiment(MethodArguments& arguments);

/// The values of the preset, if one was given. Refuses a preset of another method.
Result<void> applyPreset(const std::optional<std::string>& preset, const Method& method, ParameterValues& values);

}  // namespace vqscope
