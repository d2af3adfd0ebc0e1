// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/command_parser.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// One command of the command line, as the dispatcher and its help know it.
struct Command {
  std::string_view usage;                       ///< begins with the name: "row N [options]"
  std::string_view summary;                     ///< in the help of the program
  int (*run)(const std::vector<std::string>&);  ///< takes the arguments after the name; returns the exit status
  std::string_view about;   ///< paragraphs of the command's help before the options, each after an empty line
  std::string_view ending;  ///< and after them
  std::vector<OptionLine> (*options)() = nullptr;  ///< in the order of the help; null: none

  std::string_view name() const { return usage.substr(0, usage.find(' ')); }
};

/// The text of `COMMAND --help`.
std::string helpOf(const Command& command);

// One function for each, in the file of its name.
const Command& listCommand();
const Command& rowCommand();
const Command& diffCommand();
const Command& recogniseCommand();
const Command& checkCommand();
const Command& watchCommand();
const Command& configCommand();
const Command& dialectsCommand();
const Command& snippetCommand();
const Command& reportCommand();
const Command& completionCommand();
const Command& mcpCommand();
const Command& ropeCommand();
const Command& headsCommand();
const Command& parityCommand();

}  // namespace vqscope
