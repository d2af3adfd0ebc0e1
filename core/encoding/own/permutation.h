// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `permutation_equivariance`: how far attention of permuted tokens is from the permuted output, by token, without
/// positions and with some: 0 where self-attention cannot tell the order of its tokens.
Method permutation_equivariance_method();

}  // namespace vqscope
