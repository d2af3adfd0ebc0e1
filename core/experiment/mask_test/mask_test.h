// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `mask_test`: forward passes of a small model that show what a mask lets through.
Method mask_test_method();

/// The mask of `visibility`'s values as values of `mask_test`. Refuses imported masks,
/// cross-attention, and values without a mask.
Result<ParameterValues> mask_test_values(const ParameterValues& visibility);

}  // namespace vqscope
