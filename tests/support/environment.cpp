// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/environment.h"

#include <algorithm>

namespace vqscope::test {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace

int countFrom(const char* variable, int usual) {
  bool given = false;
  const int count = qEnvironmentVariableIntValue(variable, &given);
  if (given) return count;
  return sanitized ? std::min(usual, 1 + usual / 4) : usual;
}

void keepStateIn(const QTemporaryDir& folder) {
  qputenv("XDG_CONFIG_HOME", folder.filePath("config").toLocal8Bit());
  qputenv("XDG_DATA_HOME", folder.filePath("data").toLocal8Bit());
  qputenv("XDG_STATE_HOME", folder.filePath("state").toLocal8Bit());
}

}  // namespace vqscope::test
