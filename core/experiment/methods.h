// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// All maps and experiments of quantised attention. Created once.
std::span<const Method> experiment_methods();

}  // namespace vqscope
