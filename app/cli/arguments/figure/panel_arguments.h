// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/output/export_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Words between blanks, as a shell has them: quotation marks keep blanks, a backslash the next
/// character. An error if a quotation mark is not closed.
Result<std::vector<std::string>> shellWords(std::string_view text);

/// The views that --panel adds to the figure of `arguments`, and the height of their grid if none
/// was given. A panel without a METHOD has the figure's, with its values.
Result<void> addPanels(const ExportArguments& arguments, ExportRequest& request);

}  // namespace vqscope
