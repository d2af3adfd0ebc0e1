// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `infini_capacity`: error of what an Infini-attention memory returns for its keys, against the
/// number of stored pairs.
Method infini_capacity_method();

}  // namespace vqscope
