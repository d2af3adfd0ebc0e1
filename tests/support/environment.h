// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

namespace vqscope::test {

/// How often a random test tries: the number in the environment variable, or `usual` where it is not set.
int countFrom(const char* variable, int usual);

/// From here on settings and saved state of this process are below the folder: "config", "data" and "state". Each test
/// class begins with an empty folder of its own, so that classes can run in any order and at the same time, and the
/// person who runs them loses nothing.
void keepStateIn(const QTemporaryDir& folder);

}  // namespace vqscope::test
