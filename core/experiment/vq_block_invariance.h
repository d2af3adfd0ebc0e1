// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_block_invariance`: how far the linear form lies from the quadratic one, against block_len.
Method vq_block_invariance_method();

}  // namespace vqscope
