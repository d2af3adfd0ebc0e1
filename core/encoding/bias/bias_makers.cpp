// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

namespace vqscope {

std::span<const MethodMaker> bias_makers() {
  // One line a method.
  // clang-format off
  static constexpr MethodMaker makers[]{
      alibi_method,
      kerple_log_method,
      kerple_power_method,
      sandwich_method,
      t5_bias_method,
      nope_method,
  };
  // clang-format on
  return makers;
}

}  // namespace vqscope
