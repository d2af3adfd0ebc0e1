// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_cache_codes`: what the cache holds for each code after some blocks.
Method vq_cache_codes_method();

}  // namespace vqscope
