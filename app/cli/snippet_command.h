// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace vqscope {

/// vqscope snippet METHOD.
const Command& snippetCommand();

}  // namespace vqscope
