// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <span>
#include <string>

namespace vqscope {

/// Absolute path of the running program; its name if the system does not know the path.
std::string runningProgram();

/// What main() returns: an exception of a library becomes one sentence and exit status 2. Unfinished files have no name
/// yet, so none remain.
int runGuarded(const std::function<int()>& run);

/// The file that the arguments of a program without a command name; empty: none. Options and a second
/// file are refused.
Result<std::string> fileToOpen(std::span<const std::string> arguments);

}  // namespace vqscope
