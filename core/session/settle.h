// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/notes.h"
#include "core/session/session.h"

#include <functional>

namespace vqscope {

/// The value in a file for a parameter, of its type and in its range; nothing if there is none.
using GivenValue = std::function<std::optional<ParameterValue>(const ParameterSpec&)>;

/// The values of a page whose parameters depend on values: the given ones if valid, otherwise
/// defaults. `start`: values from which to look for the parameters; the nearer, the fewer look-ups.
ParameterValues values_from(const GivenValue& given, const PageInfo& info, const std::string& method,
                            ParameterValues start = {});

/// Resets values to their defaults until the method shown can be made, first the one that its check
/// names. Adds a note for each. Tensors of the user stay, also where they cannot be read or shown:
/// then all values stay.
void settle_shown(const PageInfo& info, const std::string& method, ParameterValues& values, Notes& notes);

}  // namespace vqscope
