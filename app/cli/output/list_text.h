// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/gallery.h"
#include "core/io/json/json_value.h"
#include "core/method/method.h"

#include <span>
#include <string>

namespace vqscope {

/// Output of a method: matrix, curves or run.
const char* kindOf(const Method& method);

/// Full description of a method, with two lines for each parameter.
std::string methodText(const Method& method);

/// One line for each method, in columns.
std::string methodLines(std::span<const Method* const> methods);

/// One line for each preset: id, experiment and title.
std::string presetLines(std::span<const ExperimentPreset* const> presets);

/// One line for each entry of the gallery: id, page, what it shows and title.
std::string galleryLines();

/// The contents of each entry's file, without the thumbnail.
JsonArray galleryToJson();

}  // namespace vqscope
