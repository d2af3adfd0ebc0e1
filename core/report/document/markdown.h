// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document/document.h"

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// A text on one line that Markdown does not read as markup or as HTML, also within a table.
std::string markdown_text(std::string_view text);

/// The report as Markdown with tables. `pictures`: the file names of its pictures beside it, one for
/// each; without them, the pictures stand behind the text, where readers of the plain file are not in
/// their way.
std::string markdown_of(const ReportDocument& document, std::span<const std::string> pictures = {});

}  // namespace vqscope
