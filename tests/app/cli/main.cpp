// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/application.h"
#include "tests/support/test_main.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const vqscope::WindowApplication app(argc, argv);
  return vqscope::test::runTests(argc, argv);
}
