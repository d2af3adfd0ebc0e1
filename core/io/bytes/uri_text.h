// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// A path as a relative reference of a URI (RFC 3986), which is also a link in Markdown: bytes that
/// may have another meaning there are "%" and two digits.
std::string uri_text(std::string_view path);

}  // namespace vqscope
