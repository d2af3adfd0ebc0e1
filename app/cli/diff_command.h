// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace vqscope {

/// vqscope diff.
const Command& diffCommand();

}  // namespace vqscope
