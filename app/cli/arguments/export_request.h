// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/mask/mask.h"
#include "core/output/exporter.h"

#include <string>

namespace vqscope {

/// The method, its values (defaults, then the session's, then --set), the block and the look that
/// the arguments specify, all checked.
Result<ExportRequest> exportRequest(const ExportArguments& arguments);

/// The method with its values, as a session, --mask and --set have them, and the look of its page.
Result<ExportRequest> methodRequest(const MethodArguments& arguments);

/// The same, without refusing settings that have no effect.
Result<ExportRequest> pointRequest(const MethodArguments& arguments);

/// The method with its values, and the values to subtract as the other side of the look. Neither
/// field is computed yet.
Result<ExportRequest> comparedRequest(const ComparedArguments& arguments);

/// Computes the matrix of the request, minus the matrix that its look subtracts, unless it exists.
/// Does nothing for curves.
Result<void> makeField(ExportRequest& request, const Work& work);

/// The mask that the values of `visibility` describe.
Result<std::shared_ptr<const Mask>> maskOf(const Method& method, const ParameterValues& values);

/// How a page of a session shows `method`.
ExportRequest requestOf(const Method& method, const ShownPage& page);

}  // namespace vqscope
