// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_codewords`: the codebook, [n_code, d_k] float32.
Method vq_codewords_method();

}  // namespace vqscope
