// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/notes.h"
#include "core/session/session.h"

namespace vqscope {

JsonObject page_json(const WorkspaceState& state);

/// The page that an object describes. What it does not name is the default; what it names and this program does not
/// know or allow is left out and noted, and takes nothing else along.
WorkspaceState read_page(const ConfigValue& object, const WorkspaceInfo& info, Notes& notes);

}  // namespace vqscope
