// SPDX-License-Identifier: GPL-3.0-or-later
// A text inside a file of another format, such as the session in a report or a figure.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

/// "vqscope-session:SIZE:BASE64;", the text deflated. All of it is ASCII that no format escapes, so
/// it can stand in HTML, XML, a PNG text chunk or PDF metadata, as the last one of the file and not
/// compressed again.
std::string embedded_text(std::string_view text);

/// The last embedded text in the bytes of a file of any format; nothing if there is none. A text
/// above `most` bytes, or one that is damaged, is an error that completes a sentence about the file.
Result<std::optional<std::string>> find_embedded_text(std::string_view bytes, std::uint64_t most);

}  // namespace vqscope
