// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/figure/figure_spec.h"
#include "core/session/notes.h"

#include <optional>
#include <vector>

namespace vqscope {

/// A list of objects, each with a name and the members of the specification.
JsonArray figures_json(const std::vector<FigurePreset>& presets);

JsonObject figure_json(const FigureSpec& spec);

/// The figure of a session's object; nothing if it has none, or none that is valid, which is noted.
std::optional<FigureSpec> read_figure(const ConfigValue& root, Notes& notes);

/// The presets of a session's object; those that are no valid figure are left out and noted.
void read_figures(const ConfigValue& root, std::vector<FigurePreset>& presets, Notes& notes);

}  // namespace vqscope
