// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

namespace vqscope {

/// The mask of `visibility`'s values as values of `mask_test`. Refuses imported masks,
/// cross-attention, and values without a mask.
Result<ParameterValues> mask_test_values(const ParameterValues& visibility);

}  // namespace vqscope
