// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `nope`: [q_length, kv_length] float32, 0 everywhere: no position encoding, nothing added to a score. What a causal
/// decoder still learns of positions comes from its mask. To compare the others with.
Method nope_method();

}  // namespace vqscope
