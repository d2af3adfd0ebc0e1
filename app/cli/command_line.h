// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace vqscope {

struct Command;

/// With those that the parts of this build add, in the order of the help.
const std::vector<const Command*>& allCommands();

/// Whether the arguments (without the program's name) are for the command line and not files for
/// the workbench.
bool isCommand(const std::vector<std::string>& arguments);

/// Runs a command with its arguments, --help or --version; never needs a display. Exit status: 0
/// done, 1 findings, 2 refused or failed with one line on stderr and nothing written, 130
/// interrupted.
int runCommandLine(const std::vector<std::string>& arguments);

}  // namespace vqscope
