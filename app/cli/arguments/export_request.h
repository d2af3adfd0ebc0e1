// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/mask/mask.h"
#include "widgets/export/exporter.h"

namespace vqscope {

/// The method, its values (defaults, then the session's, then --set), the block and the look that the arguments ask
/// for, all checked.
Result<ExportRequest> exportRequest(const ExportArguments& arguments);

/// The method with its values, as a session, --mask and --set have them, and the look of its page.
Result<ExportRequest> methodRequest(const MethodArguments& arguments);

/// The same without asking whether the values look at what was set.
Result<ExportRequest> pointRequest(const MethodArguments& arguments);

/// The method with its values, and those to subtract as the look's other side; neither side is made yet.
Result<ExportRequest> comparedRequest(const ComparedArguments& arguments);

/// Makes the matrix of the request, less what its look subtracts, where it is not there yet; of curves nothing.
Result<void> makeField(ExportRequest& request, const Work& work);

/// The mask that the values of `visibility` describe.
Result<std::shared_ptr<const Mask>> maskOf(const Method& method, const ParameterValues& values);

/// Sets one value of `owner`, whose knobs are `specs`.
Result<void> applySetting(const Setting& setting, std::span<const ParameterSpec> specs, const std::string& owner,
                          ParameterValues& values);

/// How a page of a session shows `method`.
ExportRequest requestOf(const Method& method, const WorkspaceState& page);

}  // namespace vqscope
