// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// RFC 4648, with padding and without line breaks.
std::string to_base64(std::string_view bytes);

/// Whether it is the form that to_base64() gives.
bool is_base64(std::string_view text);

/// Of a text that is_base64().
std::string from_base64(std::string_view text);

}  // namespace vqscope
