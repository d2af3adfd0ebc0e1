// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `visibility`: [q_length, kv_length] bool, true where the query sees the key.
Method visibility_method();

}  // namespace vqscope
