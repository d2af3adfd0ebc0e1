// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Turns the scores of a row into weights, all 0 if no key is visible. Returns the logarithm of the
/// sum of exponentials, -infinity in that case.
double soften(float* scores, Index count);

}  // namespace vqscope
