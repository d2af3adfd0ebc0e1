// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// `layer_reach`: which tokens can influence a query after each layer, and how.
Method layer_reach_method();

/// `layer_reach_growth`: how many tokens reach it after each layer, beside the same layers with a fault and beside the
/// intended ones.
Method layer_reach_growth_method();

/// `layer_kv_cache`: bytes of the caches of a model's layers against the number of tokens, and the longest sequence
/// that fits into a memory.
Method layer_kv_cache_method();

/// What is shown of a model's layers. Made once.
std::span<const Method> schedule_methods();

}  // namespace vqscope
