// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/export_arguments.h"
#include "widgets/export/exporter.h"

namespace vqscope {

/// The method, its values (defaults, then the session's, then --set), the block and the look that the arguments ask
/// for, all checked.
Result<ExportRequest> exportRequest(const ExportArguments& arguments);

/// The page of a session file that shows the method, or of the default session; without a file a page without values.
Result<WorkspaceState> startingPage(const Method& method, const std::optional<QString>& path);

/// Sets one value of `owner`, whose knobs are `specs`.
Result<void> applySetting(const Setting& setting, std::span<const ParameterSpec> specs, const std::string& owner,
                          ParameterValues& values);

/// How a page of a session shows `method`.
ExportRequest requestOf(const Method& method, const WorkspaceState& page);

}  // namespace vqscope
