// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace vqscope {

/// `vqscope merge DIR... --out FILE`.
const Command& mergeCommand();

}  // namespace vqscope
