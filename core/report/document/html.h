// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document/document.h"

#include <string>
#include <string_view>

namespace vqscope {

/// A text as it stands in HTML, also within an attribute.
std::string html_text(std::string_view text);

/// One page that needs neither network nor scripts, and forbids both to itself.
std::string html_of(const ReportDocument& document);

}  // namespace vqscope
