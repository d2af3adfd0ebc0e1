// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"
#include "core/io/json/json_value.h"
#include "core/method/method.h"

namespace vqscope {

/// Everything that a program needs to call `vqscope export`.
JsonObject methodToJson(const Method& method);

/// The contents of the preset's file, with the values of all parameters.
JsonObject presetToJson(const ExperimentPreset& preset);

}  // namespace vqscope
