// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// A text on one line that Markdown does not read as markup or as HTML, also within a table.
std::string markdown_text(std::string_view text);

}  // namespace vqscope
