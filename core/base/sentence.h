// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/text.h"

#include <fmt/core.h>

namespace vqscope {

// Sentences are made by fmt::format, whose format is checked when it is compiled. Texts and whole
// numbers go in as they are, real numbers by to_text or plain_text, whose exponents are not fmt's.

/// `invalid("{} must be at most {}", name, most)`. A sentence without pieces is given to invalid
/// alone, which leaves its braces as they are.
template <class First, class... More>
Error invalid(fmt::format_string<First, More...> sentence, First&& first, More&&... more) {
  return invalid(fmt::format(sentence, std::forward<First>(first), std::forward<More>(more)...));
}

/// The same for what is beyond a limit of memory or size.
template <class First, class... More>
Error too_large(fmt::format_string<First, More...> sentence, First&& first, More&&... more) {
  return {Errc::too_large, fmt::format(sentence, std::forward<First>(first), std::forward<More>(more)...), {}};
}

}  // namespace vqscope
