// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

namespace vqscope {

std::string helpOf(const Command& command) {
  const auto options = command.options ? command.options() : std::vector<OptionLine>();
  return helpText(command.usage, command.about, options, command.ending);
}

}  // namespace vqscope
