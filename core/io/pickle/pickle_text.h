// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

/// The bytes of a string of Python 2 in quotation marks, as protocol 0 writes it; nothing if it is
/// none.
std::optional<std::string> unquoted(std::string_view text);

/// The UTF-8 of a text with escapes \uXXXX and \UXXXXXXXX; other bytes are Latin-1.
std::optional<std::string> unescaped_unicode(std::string_view text);

/// The bytes that UTF-8 with letters up to U+00FF stands for; nothing if a letter is beyond.
std::optional<std::string> latin1_bytes(std::string_view text);

}  // namespace vqscope
