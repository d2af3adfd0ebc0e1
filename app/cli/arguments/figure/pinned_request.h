// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/output/export_request.h"

namespace vqscope {

/// The figure of the views that the session pins, with the look that it had last, as far as options
/// do not say otherwise. Refuses arguments of a METHOD.
Result<ExportRequest> pinnedRequest(const ExportArguments& arguments);

}  // namespace vqscope
