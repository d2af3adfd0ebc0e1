// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "app/cli/command.h"

namespace vqscope {

/// vqscope export.
const Command& exportCommand();

/// Writes the files that the arguments name: numbers, figures, or outputs of a run. Returns the
/// exit status: exitFindings if a test of the result fails.
Result<int> exportFilesOf(const ExportArguments& arguments);

}  // namespace vqscope
