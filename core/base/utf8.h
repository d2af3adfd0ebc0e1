// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vqscope {

/// Bytes of the character that `text` begins with, 0 where it begins with none: cut off, overlong, a surrogate, or
/// beyond U+10FFFF.
std::size_t utf8_sequence(std::string_view text);

/// A code point that is no surrogate, at most U+10FFFF.
void append_utf8(std::string& text, char32_t code);

}  // namespace vqscope
