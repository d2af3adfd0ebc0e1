// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `memorizing_query`: the keys that one query retrieves, best first.
Method memorizing_query_method();

}  // namespace vqscope
