// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <vector>

namespace vqscope {

/// The additive biases that are functions of relative position, `nope` first: what every list of biases is made of.
const std::vector<Method>& bias_methods();

}  // namespace vqscope
