// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <span>

namespace vqscope {

/// Additive masks and scores hide a key by -infinity, the least number of their type, or at least -10,000.
inline constexpr float hidden_at_most = -1e4F;

/// Turns numbers of a mask into 1, visible, and 0. Masks are flags, also as real numbers, or additive; a part of
/// real zeros alone is additive, and hides nothing. `whole`: the type has whole numbers only, or bool.
inline void make_visible(std::span<float> values, bool whole) {
  const bool zero_or_one = std::ranges::all_of(values, [](float each) { return each == 0 || each == 1; });
  const bool flags = whole || (zero_or_one && std::ranges::find(values, 1.0F) != values.end());
  for (float& value : values) value = (flags ? value != 0 : value > hidden_at_most) ? 1.0F : 0.0F;
}

}  // namespace vqscope
