// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_value.h"
#include "core/session/file/page_reader.h"

namespace vqscope {

/// Null if the page has no notes.
JsonValue cell_notes_json(const PageState& page, const Subject& subject);
void read_cell_notes(PageReader& reader, const std::string& key, const ConfigValue& json);

}  // namespace vqscope
