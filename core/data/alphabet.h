// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// How tokens are displayed.
enum class Alphabet {
  numbers,   ///< "36 34 23"
  bytes,     ///< the bytes themselves
  language,  ///< one character each: brackets ( [ { < and ) ] } >, words a to z and A to F
  task       ///< one character each: ^ begin, | separator, $ end, letters; values: digits, signs
};

/// The text of tokens. A token without a character in the alphabet is a question mark.
std::string text_of_tokens(Alphabet alphabet, std::span<const std::int32_t> tokens);

/// The tokens of a text, the inverse. Refuses characters that are not in the alphabet, and words
/// that are not numbers.
Result<std::vector<std::int32_t>> tokens_of_text(Alphabet alphabet, std::string_view text);

/// A text as tokens: its bytes, in any encoding.
inline constexpr std::int64_t byte_vocabulary = 256;
std::vector<std::int32_t> tokens_of_bytes(std::string_view bytes);

}  // namespace vqscope
