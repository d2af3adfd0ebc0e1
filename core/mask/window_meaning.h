// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// What a library means by a window of w: the distances q_pos - kv_pos that stay visible, first <= distance <= last.
struct WindowMeaning {
  std::string id;
  std::string title;
  std::string rule;  ///< as the library writes it, with the name of its argument
  Index (*last)(Index argument);
  Index first = 0;         ///< 1: the token itself is masked
  bool both_ways = false;  ///< as far ahead as back, where the kernel is not causal

  /// Keys that a query far from the start sees in a causal mask.
  Index keys(Index argument) const { return last(argument) - first + 1; }
};

/// One row a meaning, the plain one (HF's) first.
std::span<const WindowMeaning> window_meanings();
const WindowMeaning* find_window_meaning(std::string_view id);

}  // namespace vqscope
