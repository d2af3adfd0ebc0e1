// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `infini_memory`: the memory matrix of Infini-attention after some segments.
Method infini_memory_method();

}  // namespace vqscope
