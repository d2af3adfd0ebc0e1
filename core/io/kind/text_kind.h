// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/kind/known_file.h"

#include <string_view>

namespace vqscope {

/// Whether a file that begins with `head` is a text: UTF-8, or any letters if its suffix is that of
/// a text, without control characters. `is_cut`: the file goes on after `head`.
bool is_text(std::string_view head, bool is_cut, std::string_view suffix);

/// The kind of a text by its first bytes: an HTML page, JSON, a table of numbers, or another text.
KnownFile text_kind(std::string_view head, std::string_view suffix);

}  // namespace vqscope
