// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// The curves of encodings, against distance, pair, length or layers. Made once.
std::span<const Method> curve_methods();

}  // namespace vqscope
