// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// A run over tensors of somebody's own: exact attention, or with vector-quantised keys.
Method vq_attention_method();

}  // namespace vqscope
