// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"

#include <QTest>

#include <memory>

namespace vqscope::test {

std::vector<TestFactory>& test_classes() {
  static std::vector<TestFactory> all;
  return all;
}

int runTests(int argc, char** argv) {
  int failed = 0;
  for (const auto& make : test_classes()) {
    const std::unique_ptr<QObject> test(make());
    failed += QTest::qExec(test.get(), argc, argv);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace vqscope::test
