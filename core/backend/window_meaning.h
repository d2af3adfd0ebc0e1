// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
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
  bool both_ways = false;  ///< as far ahead as back

  /// Keys that a query far from both ends sees.
  Index keys(Index argument) const { return both_ways ? 2 * last(argument) + 1 : last(argument) - first + 1; }
};

/// The argument that makes a causal library's window q_idx - kv_idx < keys, or nothing where it means another shape.
std::optional<Index> window_argument_for(const WindowMeaning& meaning, Index keys);
/// The same as text: "127", "cannot: looks both ways".
std::string window_argument_text(const WindowMeaning& meaning, Index keys);

/// One row a meaning, the plain one (HF's) first.
std::span<const WindowMeaning> window_meanings();
const WindowMeaning* find_window_meaning(std::string_view id);

}  // namespace vqscope
