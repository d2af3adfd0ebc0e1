// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// Everything about quantised attention: its maps and its experiments. Made once.
std::span<const Method> experiment_methods();

}  // namespace vqscope
