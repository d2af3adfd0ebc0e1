// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"

#include <QApplication>
#include <QTest>

#include <memory>

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  int failed = 0;
  for (const auto& make : vqscope::test::test_classes()) {
    const std::unique_ptr<QObject> test(make());
    failed += QTest::qExec(test.get(), argc, argv);
  }
  return failed == 0 ? 0 : 1;
}
