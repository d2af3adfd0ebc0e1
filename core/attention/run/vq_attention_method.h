// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// A run over tensors that the user supplies: exact attention, or attention with vector-quantised
/// keys.
Method vq_attention_method();

}  // namespace vqscope
