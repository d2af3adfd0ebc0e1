// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/methods.h"

#include "core/method/method_list.h"

namespace vqscope {

std::span<const Method> schedule_methods() {
  // One line a method; the order is that of every list.
  // clang-format off
  static constexpr MethodMaker makers[]{
      layer_reach_method,
      layer_reach_growth_method,
      layer_kv_cache_method,
      mask_reach_method,
  };
  // clang-format on
  static const std::vector<Method> all = make_methods(makers, "model");
  return all;
}

}  // namespace vqscope
