// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_block_invariance`: difference of the linear and the quadratic form, against block_len.
Method vq_block_invariance_method();

}  // namespace vqscope
