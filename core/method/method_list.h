// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>
#include <string_view>
#include <vector>

namespace vqscope {

using MethodMaker = Method (*)();

/// One method of each maker, in the order given. `category` is that of methods that name none.
std::vector<Method> make_methods(std::span<const MethodMaker> makers, std::string_view category = {});

/// Null when none of the list has that id.
const Method* find_method(std::span<const Method> list, std::string_view id);

}  // namespace vqscope
