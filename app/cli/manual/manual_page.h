// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <span>
#include <string>

namespace vqscope {

/// vqscope.1 in the man macros of troff: commands, options and examples are those of the commands'
/// own help.
std::string manualPage(std::span<const Command* const> commands, const std::string& version);

}  // namespace vqscope
