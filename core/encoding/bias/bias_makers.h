// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method_list.h"

#include <span>

namespace vqscope {

/// The additive biases (Method::bias), in the order of every list. Whatever offers biases takes them from here or,
/// made, from bias_methods().
std::span<const MethodMaker> bias_makers();

}  // namespace vqscope
