// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `kv_cache`: bytes of the keys and values that a model keeps, by the number of tokens, and the longest sequence that
/// fits into a memory.
Method kv_cache_method();

}  // namespace vqscope
