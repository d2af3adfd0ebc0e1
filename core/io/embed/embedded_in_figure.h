// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// A PNG file with a text chunk as its last but one, named vqscope. `text`: ASCII. Bytes that are no
/// PNG file stay as they are.
std::string png_with_text(std::string png, std::string_view text);

/// An SVG file with a <metadata> element as the last of its root. `text` needs no escapes.
std::string svg_with_text(std::string svg, std::string_view text);

}  // namespace vqscope
