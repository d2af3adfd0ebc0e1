// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// After this call, an exception that cannot be caught, such as one within a noexcept function of a
/// library, ends the program with one sentence and exit status 2 instead of a core dump.
void speakLastWords();

/// For catch blocks: prints the current exception as a sentence on stderr and returns the exit
/// status. Allocates no memory.
int failOfException();

/// Absolute path of the running program; its name if the system does not know the path.
std::string runningProgram();

/// What main() returns: an exception of a library becomes one sentence and exit status 2.
/// Unfinished files have no name yet, so none remain.
int runGuarded(const std::function<int()>& run);

/// Before files: they are opened in a window of their own.
inline constexpr std::string_view newWindowOption = "--new-window";

/// Refuses options among the arguments of a program without a command: they are files to open.
Result<void> checkFiles(std::span<const std::string> arguments);

}  // namespace vqscope
