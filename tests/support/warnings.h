// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope::test {

/// Until the running test function ends, a warning fails it; messages of the platform are excepted.
void failOnWarnings();

/// The same for warnings outside test functions, such as those of a test class's members as they end: each is printed
/// and counted.
void countWarnings();
int countedWarnings();

}  // namespace vqscope::test
