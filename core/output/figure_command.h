// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

#include <span>
#include <string>

namespace vqscope {

/// The command line that writes the request's files, with the same bytes. The fields of matrices
/// must exist where only a block of them is shown.
std::string figure_command(const ExportRequest& request, std::span<const std::string> paths);

}  // namespace vqscope
