// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Loss of models, trained here, on contexts longer than their training length.
Method length_extrapolation_method();

}  // namespace vqscope
