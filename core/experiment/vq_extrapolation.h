// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_extrapolation`: a codebook learnt on keys of positions below the training length, used beyond it.
Method vq_extrapolation_method();

}  // namespace vqscope
