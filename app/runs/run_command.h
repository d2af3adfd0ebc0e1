// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace vqscope {

/// vqscope run: `export` of an experiment.
const Command& runCommand();

}  // namespace vqscope
