// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"
#include "tests/support/test_main.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  return vqscope::test::runTests(argc, argv, [](int& count, char** arguments) {
    return std::make_unique<vqscope::WindowApplication>(count, arguments);
  });
}
