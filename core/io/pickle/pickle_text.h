// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/pickle/pickle_value.h"

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

/// A text of that form as bytes; nothing if it has another one.
std::optional<std::string> decoded(PickledForm form, std::string_view text);

}  // namespace vqscope
