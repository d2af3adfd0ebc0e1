// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_value.h"
#include "core/session/file/page_reader.h"

namespace vqscope {

JsonObject page_json(const PageState& page, const Subject& subject);

/// The page that an object describes. What the object does not name takes its default. What is
/// unknown or invalid is left out and noted, without affecting the rest.
PageState read_page(const ConfigValue& object, const PageInfo& info, const PageFormat& format, Notes& notes);

}  // namespace vqscope
