// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

// The help of each method describes what it shows.
Method layer_reach_method();
Method layer_reach_growth_method();
Method layer_kv_cache_method();
Method mask_reach_method();

/// Methods that show a model's layers. Made once.
std::span<const Method> schedule_methods();

}  // namespace vqscope
