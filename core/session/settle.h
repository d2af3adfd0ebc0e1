// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/notes.h"
#include "core/session/session.h"

#include <functional>

namespace vqscope {

/// The value that a file has for a parameter, of its type and in its range; nothing where it has none.
using GivenValue = std::function<std::optional<ParameterValue>(const ParameterSpec&)>;

/// The values of a page whose parameters depend on values themselves: what is given where it is allowed, defaults
/// elsewhere.
ParameterValues values_from(const GivenValue& given, const WorkspaceInfo& info, const std::string& method);

/// Sets to their defaults the values with which the method shown cannot be made: the one that its check names first.
/// Says each.
void settle_shown(const WorkspaceInfo& info, const std::string& method, ParameterValues& values, Notes& notes);

}  // namespace vqscope
