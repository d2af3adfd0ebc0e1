// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/true_line.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {

bool is_true_masked(std::string_view text) {
  if (text.find(true_is_masked_line) == std::string_view::npos) return false;
  return std::ranges::any_of(split(text, '\n'),
                             [](std::string_view line) { return trimmed(line) == true_is_masked_line; });
}

}  // namespace vqscope::language
