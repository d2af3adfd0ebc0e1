// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// Masks as matrices: cell by cell, and in blocks. Made once.
std::span<const Method> mask_methods();

}  // namespace vqscope
