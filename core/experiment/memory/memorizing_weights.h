// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `memorizing_weights`: weights of local attention and of retrieved keys over queries and keys.
Method memorizing_weights_method();

}  // namespace vqscope
