// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/figure/view_look.h"

#include <optional>

namespace vqscope {

/// {"rows": [0, 64], "cols": [0, 64]}.
JsonObject view_json(const ViewRange& view);

/// Nothing if there is no ascending pair of numbers for rows and for cols.
std::optional<ViewRange> view_in(const ConfigValue& json);

}  // namespace vqscope
