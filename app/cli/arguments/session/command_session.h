// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/output/export_request.h"
#include "core/session/session.h"

namespace vqscope {

/// The session of --session, or an empty one, that shows what the arguments describe: the method with
/// the values of `request` on its page, and what the mask is expected to be.
Result<Session> sessionOf(const MethodArguments& arguments, const ExportRequest& request,
                          const ParameterValues& stated);

/// The id of the method on the page in front of a session; empty: it is the survey. Refuses other pages
/// without one.
Result<std::string> methodOfSession(const std::string& path);

}  // namespace vqscope
