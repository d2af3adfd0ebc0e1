// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_value.h"
#include "core/session/file/page_reader.h"

namespace vqscope {

/// Null if the page shows no sample of a batch.
JsonValue batch_json(const PageState& page, const Subject& subject);
/// Whether the file still has the sample is not checked here.
void read_batch_choice(PageReader& reader, const std::string& key, const ConfigValue& json);

}  // namespace vqscope
