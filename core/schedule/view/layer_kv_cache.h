// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `layer_kv_cache`: bytes of the caches of a model's layers against the number of tokens, and the longest sequence
/// that fits into a memory.
Method layer_kv_cache_method();

}  // namespace vqscope
