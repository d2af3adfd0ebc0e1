// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/figure/pinned_view.h"
#include "core/session/notes.h"

#include <vector>

namespace vqscope {

/// A list of objects, each with a method, the values that are not its defaults, and the look.
JsonArray pins_json(const std::vector<PinnedView>& pins);

/// The pinned views of a session's object; those that are not valid are left out and noted.
void read_pins(const ConfigValue& root, std::vector<PinnedView>& pins, Notes& notes);

}  // namespace vqscope
