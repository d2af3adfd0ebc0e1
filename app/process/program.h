// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>

namespace vqscope {

/// Absolute path of the running program; its name if the system does not know the path.
std::string runningProgram();

/// Sets HOME, from which folders of configuration and state are taken, if it is missing or not an absolute path.
void takeHomeOfAccount();

/// The file that the arguments of a program without a command name; empty: none. Options and a second
/// file are refused.
Result<std::string> fileToOpen(std::span<const std::string> arguments);

}  // namespace vqscope
