// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/notes.h"
#include "core/session/session.h"

namespace vqscope {

JsonObject page_json(const WorkspaceState& state);

/// What a file says of all its pages.
struct PageFormat {
  bool all_values = false;  ///< format 1 lists all values of a page; those at their default were not set
  Subject subject;
};

/// The page that an object describes. What the object does not name takes its default. What is unknown or invalid is
/// left out and noted, without affecting the rest.
WorkspaceState read_page(const ConfigValue& object, const WorkspaceInfo& info, const PageFormat& format, Notes& notes);

}  // namespace vqscope
