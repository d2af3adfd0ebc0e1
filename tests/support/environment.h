// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

namespace vqscope::test {

/// The number of tries of a random test: `usual`, and about a quarter under a sanitizer, where each
/// takes many times as long.
int rounds(int usual);

/// The same, or the value of the environment variable if it is set.
int countFrom(const char* variable, int usual);

/// Whether the case of this number is tried, of cases that are not random: all, and every fourth
/// under a sanitizer.
bool isTried(qsizetype number);

/// Puts settings and saved state of this process below the folder: "config", "data" and "state".
/// Each test class starts with an empty folder of its own, so that classes can run in any order and
/// at the same time, and do not touch the user's files.
void keepStateIn(const QTemporaryDir& folder);

}  // namespace vqscope::test
