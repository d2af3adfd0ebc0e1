// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"
#include "tests/app/window/editing_child.h"
#include "tests/support/test_main.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const auto application = [](int& count, char** arguments) {
    return std::make_unique<vqscope::WindowApplication>(count, arguments);
  };
  if (argc > 1 && QByteArray(argv[1]) == vqscope::test::editingChildOption) {
    const auto running = application(argc, argv);
    return vqscope::test::editUntilKilled(argc, argv);
  }
  return vqscope::test::runTests(argc, argv, application);
}
