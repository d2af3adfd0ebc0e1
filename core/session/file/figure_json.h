// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/figure/figure_spec.h"
#include "core/session/notes.h"

#include <vector>

namespace vqscope {

/// A list of objects, each with a name and the members of the specification.
JsonArray figures_json(const std::vector<FigurePreset>& presets);

/// The presets of a session's object; those that are no valid figure are left out and noted.
void read_figures(const ConfigValue& root, std::vector<FigurePreset>& presets, Notes& notes);

}  // namespace vqscope
