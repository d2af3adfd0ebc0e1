// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace vqscope {

/// `vqscope runs [NAME...]`: the kept runs.
const Command& runsCommand();

}  // namespace vqscope
