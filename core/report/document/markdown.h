// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document/document.h"

#include <span>
#include <string>

namespace vqscope {

/// The report as Markdown with tables. `pictures`: the file names of its pictures beside it, one for
/// each; without them, the pictures stand behind the text, where readers of the plain file are not in
/// their way.
std::string markdown_of(const ReportDocument& document, std::span<const std::string> pictures = {});

}  // namespace vqscope
