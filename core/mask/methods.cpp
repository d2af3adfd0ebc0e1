// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/methods.h"

#include "core/method/method_list.h"

namespace vqscope {

std::span<const Method> mask_methods() {
  // One line a method; the order is that of every list.
  // clang-format off
  static constexpr MethodMaker makers[]{
      visibility_method,
      block_method,
  };
  // clang-format on
  static const std::vector<Method> all = make_methods(makers);
  return all;
}

}  // namespace vqscope
