// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"

#include <QApplication>

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  return vqscope::test::runTests(
      argc, argv, [](int& count, char** arguments) { return std::make_unique<QApplication>(count, arguments); });
}
