// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"

#include <QCoreApplication>

int main(int argc, char** argv) {
  return vqscope::test::runTests(
      argc, argv, [](int& count, char** arguments) { return std::make_unique<QCoreApplication>(count, arguments); });
}
