// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `memorizing_cost`: seconds to search a memory of keys, against its size, compared with full
/// attention over as many keys.
Method memorizing_cost_method();

}  // namespace vqscope
