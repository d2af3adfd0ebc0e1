// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/monkey.h"
#include "tests/monkey/watchdog.h"

namespace vqscope::monkey {

/// Prints what was seen, one line that a script can add up and the stalls with their stacks; the
/// exit code.
int report(const Options& options, const Findings& findings, const Watchdog& watchdog);

}  // namespace vqscope::monkey
