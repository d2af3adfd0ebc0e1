// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_value.h"
#include "core/method/method.h"

namespace vqscope {

/// Everything that a program needs to know to call `vqscope export`.
JsonObject methodToJson(const Method& method);

}  // namespace vqscope
