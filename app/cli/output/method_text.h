// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"
#include "core/method/method.h"

#include <span>
#include <string>

namespace vqscope {

/// What a method makes: matrix, curves or run.
const char* kindOf(const Method& method);

/// Everything that is known of a method, a parameter on two lines.
std::string methodText(const Method& method);

/// A line a method, in columns.
std::string methodLines(std::span<const Method> methods);

/// A line each: id, experiment and title.
std::string presetLines(std::span<const ExperimentPreset* const> presets);

}  // namespace vqscope
