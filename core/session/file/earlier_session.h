// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"

namespace vqscope {

/// Gives a session of format 1 or 2 the values that it means, by their names of today: `normalize`
/// was LayerNorm where nothing else was set.
void update_session(ConfigValue& root);

}  // namespace vqscope
