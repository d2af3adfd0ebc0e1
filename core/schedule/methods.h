// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// What is shown of a model's layers. Made once.
std::span<const Method> schedule_methods();

}  // namespace vqscope
