// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope::test {

/// A warning fails the running test function, except for messages of the platform.
void failOnWarnings();

/// Prints and counts warnings outside test functions, such as those of destructors of a test
/// class's members.
void countWarnings();
int countedWarnings();

}  // namespace vqscope::test
