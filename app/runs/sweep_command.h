// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace vqscope {

/// `vqscope sweep EXPERIMENT --vary name=values --out DIR`.
const Command& sweepCommand();

}  // namespace vqscope
