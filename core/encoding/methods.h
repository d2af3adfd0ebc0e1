// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>
#include <vector>

namespace vqscope {

/// The encodings: buckets, rotations, biases, scores, tables, and what precision makes of them. Made once.
std::span<const Method> encoding_methods();

/// The additive biases among them (Method::bias): what adds nothing first, the others in their order.
const std::vector<const Method*>& bias_methods();

}  // namespace vqscope
