// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/environment.h"

#include "tests/support/sanitizers.h"

#include <algorithm>

namespace vqscope::test {
namespace {

constexpr bool sanitized = VQSCOPE_ADDRESS_SANITIZED || VQSCOPE_THREAD_SANITIZED;

}  // namespace

int rounds(int usual) { return sanitized ? std::min(usual, 1 + usual / 4) : usual; }

int countFrom(const char* variable, int usual) {
  bool given = false;
  const int count = qEnvironmentVariableIntValue(variable, &given);
  return given ? count : rounds(usual);
}

bool isTried(qsizetype number) { return !sanitized || number % 4 == 0; }

void keepStateIn(const QTemporaryDir& folder) {
  qputenv("XDG_CONFIG_HOME", folder.filePath("config").toLocal8Bit());
  qputenv("XDG_DATA_HOME", folder.filePath("data").toLocal8Bit());
  qputenv("XDG_STATE_HOME", folder.filePath("state").toLocal8Bit());
  qunsetenv("XDG_RUNTIME_DIR");  // windows of other tests, and of the user, do not take files
}

}  // namespace vqscope::test
