// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// The same text as valid UTF-8 without control characters except for line breaks and tabs: each byte
/// that is not valid, and each character that is not allowed in HTML or turns the direction of a
/// text, is U+FFFD.
std::string plain_characters(std::string_view text);

}  // namespace vqscope
