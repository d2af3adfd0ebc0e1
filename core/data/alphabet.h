// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// How tokens are written for people.
enum class Alphabet {
  numbers,   ///< "36 34 23"
  bytes,     ///< as they are
  language,  ///< a character each: brackets ( [ { < and ) ] } >, words a to z and A to F
  task  ///< a character each: begin ^, separator |, end $, keys, symbols and fillers letters, values digits and signs
};

/// The text of tokens. A token that the alphabet has no character for is a question mark.
std::string text_of_tokens(Alphabet alphabet, std::span<const std::int32_t> tokens);

/// The tokens of a text: the inverse. Refuses a character that is not in the alphabet, and what is not a number.
Result<std::vector<std::int32_t>> tokens_of_text(Alphabet alphabet, std::string_view text);

}  // namespace vqscope
