// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"
#include "core/method/method.h"

#include <span>
#include <string>

namespace vqscope {

/// Output of a method: matrix, curves or run.
const char* kindOf(const Method& method);

/// Full description of a method, with two lines for each parameter.
std::string methodText(const Method& method);

/// One line for each method, in columns.
std::string methodLines(std::span<const Method> methods);

/// One line for each preset: id, experiment and title.
std::string presetLines(std::span<const ExperimentPreset* const> presets);

/// For columns: filled up with spaces to the width, and two more.
std::string padded(const std::string& text, std::size_t width);

}  // namespace vqscope
