// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// The meaning of a window of w in a library: the visible distances q_pos - kv_pos are first <=
/// distance <= last.
struct WindowMeaning {
  std::string id;
  std::string title;
  std::string rule;  ///< as in the library, with the name of its argument
  Index (*last)(Index argument);
  Index first = 0;         ///< 1: the token itself is masked
  bool both_ways = false;  ///< reaches as far ahead as back

  /// Number of keys that a query far from both ends sees.
  Index keys(Index argument) const { return both_ways ? 2 * last(argument) + 1 : last(argument) - first + 1; }
};

/// The argument that makes a library's window q_idx - kv_idx < keys; nothing if its window has
/// another shape.
std::optional<Index> window_argument_for(const WindowMeaning& meaning, Index keys);
/// The same as text: "127", "cannot: looks both ways".
std::string window_argument_text(const WindowMeaning& meaning, Index keys);

/// One row per meaning, the plain one (Hugging Face) first.
std::span<const WindowMeaning> window_meanings();
const WindowMeaning* find_window_meaning(std::string_view id);

}  // namespace vqscope
