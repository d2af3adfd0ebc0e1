// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// Every method, room by room, in the order in which lists show them.
std::span<const Method> methods();

const Method* find_method(std::string_view id);

/// The same with a sentence that names the nearest known id.
Result<const Method*> require_method(std::string_view id);

}  // namespace vqscope
